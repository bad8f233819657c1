/** The one LocalStack of a run, shared by all tests: each has a stage of its own. */
import { onTestFinished } from 'vitest';
import { deployPipelines } from '#cli/cloud/deploy';
import { consumerNames, pipelineNames } from '#config/resource-names';
import { openRelay } from '#localstack/relay';
import type { RelayAddress } from '#localstack/relay';
import { synthesizeApp } from './app.ts';
import type { SynthesizedApp } from './app.ts';
import type { AppAsk, Cloud } from './cloud.ts';
import { endFunctions } from './end-functions.ts';

export interface LocalStackPlace {
  readonly endpoint: string;
  readonly relay: RelayAddress;
  readonly logFile: string;
  /** Whatever a test writes; gone with the run. */
  readonly directory: string;
  /** As LocalStack ships it, without the plugins of this project. */
  readonly isPublished: boolean;
}

export function localstackCloud(place: LocalStackPlace): Cloud {
  const { endpoint, logFile } = place;
  const relay = openRelay(place.relay);
  return {
    name: place.isPublished ? 'published' : 'localstack',
    endpoint,
    reach: relay.reach,
    async deploy(ask) {
      const app = await synthesizeApp(await lend(ask, relay.reach));
      const tempo = ask.scheduleOnly !== true;
      const running = await deployPipelines({ ...app, endpoint, tempo, logFile });
      const { connection } = running;
      onTestFinished(async () => {
        await endFunctions(await connection.signed('lambda'), functionsOf(app));
        await running.stop();
      });
      return { stage: app.stage, endpoint, connection, cdkOut: app.cdkOut };
    },
  };
}

function functionsOf({ stage, pipelines }: SynthesizedApp): string[] {
  return pipelines.flatMap(({ name, consumers }) => [
    pipelineNames(stage, name).pollFunction,
    ...consumers.map((consumer) => consumerNames(stage, name, consumer.name).function),
  ]);
}

/** Servers of this process, as functions see them. */
async function lend(ask: AppAsk, reach: Cloud['reach']): Promise<AppAsk> {
  const lendAll = async (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(values).map(async ([name, value]) => [
          name,
          value.startsWith('http://127.0.0.1:') ? await reach(value) : value,
        ]),
      ),
    ) as Record<string, string>;
  const functionEnv = await Promise.all(
    Object.entries(ask.functionEnv ?? {}).map(async ([end, values]) => [
      end,
      await lendAll(values),
    ]),
  );
  return { ...ask, env: await lendAll(ask.env), functionEnv: Object.fromEntries(functionEnv) };
}
