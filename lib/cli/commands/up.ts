/** penstock up: one's own pipelines in a local cloud, until Ctrl-C. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { howToSpeak, untilAborted } from '#cli/cloud/stay';
import { LOCAL_CREDENTIALS } from '#cli/choose-cloud';
import { INTERRUPTED, listenForInterrupt } from '#cli/interrupt';
import { printLines, wholeNumber } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll } from '#cli/load';
import { withExample, withStage } from '#cli/options';
import { renderEvent } from '#cli/render/cloud-event';

interface UpOptions {
  readonly stage: string;
  readonly port: string;
  readonly keep?: string;
  readonly cdkOut?: string;
  readonly tempo?: boolean;
  readonly faithful?: boolean;
}

export function addUp(program: Command, io: Io): void {
  const command = program
    .command('up')
    .summary('run your pipelines in a local cloud')
    .description(
      'Synthesize the app and run it on this machine until Ctrl-C. A second Ctrl-C does not wait ' +
        'for what is running.',
    )
    .argument('[pipelines...]', 'only these; all of pipelines/ unless named')
    .option('--port <port>', 'where the cloud answers', '4599')
    .option('--keep <directory>', 'keep streams, tables and objects there')
    .option('--cdk-out <directory>', 'run what `cdk synth` wrote there instead of synthesizing')
    .option('--tempo', 'poll again as soon as a poll has ended, not by the schedule')
    .option('--faithful', 'keep all of AWS’s waiting times')
    .action((names: readonly string[], options: UpOptions) => up(names, options, io));
  withExample(
    withStage(command),
    'ORDERS_API_URL=https://… ORDERS_API_TOKEN=… penstock up orders --keep .penstock/data',
  );
}

async function up(names: readonly string[], options: UpOptions, io: Io): Promise<void> {
  const { stage, keep, cdkOut, tempo = false, faithful = false } = options;
  const port = wholeNumber(options.port, '--port');
  const [{ startPipelines }, { choosePipelines }] = await Promise.all([
    import('#cli/cloud/start'),
    import('#cli/choose-pipelines'),
  ]);
  const { pipelines, pipelinesDirectory } =
    names.length === 0
      ? { pipelines: await loadAll(stage), pipelinesDirectory: undefined }
      : await choosePipelines(names, stage);
  const interrupt = listenForInterrupt(() => process.exit(INTERRUPTED));
  try {
    const { endpoint, stop } = await startPipelines({
      stage,
      pipelines,
      pipelinesDirectory,
      port,
      tempo: tempo && 'polls',
      faithful,
      env: io.env,
      signal: interrupt.signal,
      ...(keep === undefined ? {} : { keepDir: resolve(keep) }),
      ...(cdkOut === undefined ? {} : { cdkOut: resolve(cdkOut) }),
      onEvent: (event) => printLines(io, renderEvent(event)),
    });
    try {
      printLines(
        io,
        welcome(
          endpoint,
          pipelines.map(({ name }) => name),
        ),
      );
      await untilAborted(interrupt.signal);
      printLines(io, ['Stopping: what runs is waited for. Ctrl-C again does not wait.']);
    } finally {
      await stop();
    }
    printLines(io, ['Stopped.']);
  } finally {
    interrupt.release();
  }
}

function welcome(endpoint: string, names: readonly string[]): string[] {
  return [
    `${names.join(', ')} up at ${endpoint}. To speak to it from another shell:`,
    ...howToSpeak({ AWS_ENDPOINT_URL: endpoint, ...LOCAL_CREDENTIALS }),
    'Ctrl-C stops it.',
  ];
}
