/** Starts LocalStack in a container through testcontainers, and leaves nothing behind. */
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StartedLocalStackContainer } from '@testcontainers/localstack';
import type { ContainerRuntimeClient } from 'testcontainers';
import { findEngine } from './engine.ts';
import type { Environment } from './engine.ts';
import { HeldContainer } from './held-container.ts';
import { findImage } from './image.ts';
import { keepLastLines } from './last-lines.ts';
import type { Image } from './image.ts';
import { LocalStackError } from './localstack-error.ts';
import { holdContainer } from './relay.ts';
import type { RelayAddress } from './relay.ts';

export interface LocalStackAsk {
  readonly env: Environment;
  /** Holds the container's log while it runs, and its last lines after it has failed. */
  readonly logDirectory: string;
  /** Where LocalStack answers on loopback; a free port unless given. */
  readonly port?: number | undefined;
  readonly onStep?: ((sentence: string) => void) | undefined;
}

export interface LocalStack {
  /** `http://127.0.0.1:40123` */
  readonly endpoint: string;
  readonly image: Image;
  readonly relay: RelayAddress;
  /** Rejects, naming the log's last lines, when the container ends before it is told to. */
  readonly died: Promise<never>;
  /** What the container says; gone with it. */
  readonly logFile: string;
  /** Ends when the container is gone. */
  stop(): Promise<void>;
}

const CONTROL_PORT = 4_599;
const GRACE_MS = 10_000;
/** @source LocalStack from 2026.03 on: the exit code of a container without a valid token. */
const NO_TOKEN = 55;
const RELAY_INSIDE = '/opt/penstock-relay.mjs';
/** @source LocalStack, initialization hooks: what lies here runs before any service is used. */
const AT_START = '/etc/localstack/init/start.d/penstock-relay.sh';
const START_RELAY = `#!/bin/sh\nnode ${RELAY_INSIDE} ${CONTROL_PORT} 1 &\n`;

/**
 * What the tier needs of LocalStack, the same for every image.
 *
 * The poll interval is the mapping's, in seconds: one batch a second is LocalStack's default. The
 * architecture of a function is not its concern: JavaScript has none. Streams are not written to disk, which
 * nobody reads after the container's end: 8,000 records took a quarter of a core to write again and again.
 */
const SETTINGS = {
  LAMBDA_EVENT_SOURCE_MAPPING_POLL_INTERVAL_SEC: '0.1',
  LAMBDA_IGNORE_ARCHITECTURE: '1',
  KINESIS_PERSISTENCE: '0',
  SQS_ENDPOINT_STRATEGY: 'dynamic',
  DISABLE_EVENTS: '1',
} as const;

/** @throws {LocalStackError} when there is no engine or no image, or LocalStack does not start. */
export async function startLocalStack(ask: LocalStackAsk): Promise<LocalStack> {
  const { env, onStep = () => undefined, port } = ask;
  const engine = await findEngine(env);
  const image = await findImage(engine, { env, onPull: (name) => onStep(`Pulling ${name} …`) });
  onStep(`Starting ${image.name} …`);
  await mkdir(ask.logDirectory, { recursive: true });
  const logFile = join(ask.logDirectory, `localstack-${process.pid}.log`);
  const life: Life = { logFile, container: undefined, ended: undefined };
  const described = describe({ env, image, port, engine, life });
  const started = await described.start().catch(async (error: unknown) => {
    throw new LocalStackError(await whyNotStarted(error, { port, life }), { cause: error });
  });
  return living(started, { image, life });
}

interface Life {
  readonly logFile: string;
  /** Undefined until it is created. */
  container: ReturnType<ContainerRuntimeClient['container']['getById']> | undefined;
  /** Fulfilled with the container's exit code once it is removed; undefined until it is created. */
  ended: Promise<number> | undefined;
}

interface Description extends Pick<LocalStackAsk, 'env' | 'port'> {
  readonly image: Image;
  readonly engine: ContainerRuntimeClient;
  readonly life: Life;
}

function describe({ env, image, port, engine, life }: Description): HeldContainer {
  const token = env['LOCALSTACK_AUTH_TOKEN'];
  const container = new HeldContainer(image.name);
  const ports = port === undefined ? [] : [{ container: 4_566, host: port }];
  container
    .withExposedPorts(CONTROL_PORT, ...ports)
    .withEnvironment({ ...SETTINGS, ...(token ? { LOCALSTACK_AUTH_TOKEN: token } : {}) })
    .withCopyFilesToContainer([
      { source: join(import.meta.dirname, 'relay-inside.mjs'), target: RELAY_INSIDE },
    ])
    .withCopyContentToContainer([{ content: START_RELAY, target: AT_START, mode: 0o755 }])
    .withLogConsumer((lines) => lines.pipe(createWriteStream(life.logFile)));
  if (!image.runsFunctionsInside) {
    const socket = engine.info.containerRuntime.remoteSocketPath;
    container.withBindMounts([{ source: socket, target: '/var/run/docker.sock' }]);
  }
  container.onCreated = (id) => {
    life.container = engine.container.getById(id);
    const removed = life.container.wait({ condition: 'removed' });
    life.ended = removed.then(({ StatusCode }: { StatusCode: number }) => StatusCode);
  };
  return container;
}

async function living(
  started: StartedLocalStackContainer,
  { image, life }: { image: Image; life: Life },
): Promise<LocalStack> {
  const controlPort = started.getMappedPort(CONTROL_PORT);
  const release = await holdContainer(controlPort);
  let told = false;
  const died = (async () => {
    const code = await life.ended;
    if (told) return new Promise<never>(() => undefined);
    const kept = await keepLastLines(life.logFile);
    throw new LocalStackError(`LocalStack ended by itself (code ${code}). Its last words: ${kept}`);
  })();
  died.catch(() => undefined); // Told to whoever waits for it.
  return {
    endpoint: started.getConnectionUri(),
    image,
    relay: { controlPort, insideHost: started.getIpAddress('bridge') },
    died,
    logFile: life.logFile,
    async stop() {
      told = true;
      // Functions in containers of their own are removed by LocalStack while it ends.
      const timeout = image.runsFunctionsInside ? 0 : GRACE_MS;
      await started.stop({ remove: false, timeout }).catch(() => undefined);
      release();
      await life.ended;
      await rm(life.logFile, { force: true });
    },
  };
}

/** Removes what is left of a container that did not start. */
async function whyNotStarted(
  failure: unknown,
  { port, life }: { port: number | undefined; life: Life },
): Promise<string> {
  await life.container?.remove({ force: true }).catch(() => undefined);
  const code = await life.ended;
  const said = failure instanceof Error ? failure.message : String(failure);
  if (/already allocated|already in use/.test(said)) {
    return `Port ${port} is taken: choose another, or end what uses it.`;
  }
  const token = code === NO_TOKEN ? ': this image wants a token in LOCALSTACK_AUTH_TOKEN' : '';
  const how =
    code === undefined ? said : `LocalStack ended while it started (code ${code}${token})`;
  const kept = await keepLastLines(life.logFile).catch(() => undefined);
  await rm(life.logFile, { force: true });
  return kept === undefined ? how : `${how}. Its last words: ${kept}`;
}
