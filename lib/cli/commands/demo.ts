/** penstock demo: three sources, a local cloud, and the proof that nothing was lost. */
import type { Command } from 'commander';
import { CLOUD_NAMES } from '#cli/cloud/cloud-name';
import type { CloudName } from '#cli/cloud/cloud-name';
import { howToSpeak, untilAborted } from '#cli/cloud/stay';
import { UsageError } from '#cli/cli-error';
import { STAGE } from '#cli/demo/stage';
import { listenForInterrupt, INTERRUPTED } from '#cli/interrupt';
import { printJson, printLines, wholeNumber } from '#cli/io';
import type { Io } from '#cli/io';
import { withExample, withJson } from '#cli/options';
import { notesBetween, renderLive, renderPlain } from '#cli/render/live';
import type { PipelineView } from '#cli/render/live';
import { holds, reconciliationJson, renderReconciliation } from '#cli/render/verdict';
import { seconds } from '#cli/render/text';
import { redrawnBlock } from '#cli/screen';

interface DemoOptions {
  readonly cloud: string;
  readonly port?: string;
  readonly seed: string;
  readonly changes?: string;
  readonly stay?: boolean;
  readonly json?: boolean;
}

/** LocalStack answers one DynamoDB request at a time: so few that the demo takes a minute or two. */
const CHANGES: Readonly<Record<CloudName, number>> = { embedded: 11_000, localstack: 1_000 };
const CHANGES_TEXT = `${CHANGES.embedded}; in LocalStack ${CHANGES.localstack}`;
const NOTES_SHOWN = 4;
const PLAIN_GAP_MS = 900;

export function addDemo(program: Command, io: Io, fail: () => void): void {
  const command = program
    .command('demo')
    .summary('watch three demo sources flow into tables')
    .description(
      'Start three demo sources and a local cloud made of the synthesized app, poll until the ' +
        'sources are quiet, and compare every row of the tables with its source. In LocalStack ' +
        'the app is deployed by cdk into a container, which needs Docker.',
    )
    .option('--cloud <cloud>', CLOUD_NAMES.join(' or '), 'embedded')
    .option('--port <port>', 'where the cloud answers (default: a free port)')
    .option('--seed <number>', 'decides what happens at the sources', '7')
    .option(
      '--changes <count>',
      `changes of orders while they are polled (default: ${CHANGES_TEXT})`,
    )
    .option('--stay', 'keep the cloud up afterwards, until Ctrl-C')
    .action((options: DemoOptions) => demo(options, io, fail));
  withExample(
    withJson(command, 'print only the reconciliation, as JSON'),
    'penstock demo',
    'penstock demo --seed 42 --json',
    'penstock demo --cloud localstack --stay',
  );
}

async function demo(options: DemoOptions, io: Io, fail: () => void): Promise<void> {
  const { json = false, stay = false } = options;
  const cloud = cloudName(options.cloud);
  const seed = wholeNumber(options.seed, '--seed');
  const changes =
    options.changes === undefined ? CHANGES[cloud] : wholeNumber(options.changes, '--changes');
  const port = options.port === undefined ? undefined : wholeNumber(options.port, '--port');
  const interrupt = listenForInterrupt(() => process.exit(INTERRUPTED));
  const { signal } = interrupt;
  const say = json
    ? silent()
    : io.terminalWidth === undefined
      ? plain(io)
      : live(io, io.terminalWidth);
  const { runDemo } = await import('#cli/demo/run-demo');
  try {
    await runDemo({
      ...say,
      cloud,
      port,
      seed,
      changes,
      signal,
      env: io.env,
      async onJudged(found, variables, ending) {
        if (!holds(found)) fail();
        if (json) printJson(io, reconciliationJson(found));
        else printLines(io, ['', ...renderReconciliation(found)]);
        if (!stay) return;
        // Standard output is for the JSON alone.
        printLines(json ? { ...io, out: io.err } : io, welcome(variables));
        await untilAborted(ending);
      },
    });
  } finally {
    interrupt.release();
  }
}

function cloudName(text: string): CloudName {
  const known = CLOUD_NAMES.find((name) => name === text);
  if (known !== undefined) return known;
  throw new UsageError(`--cloud must be ${CLOUD_NAMES.join(' or ')}, not '${text}'.`);
}

function welcome(variables: Readonly<Record<string, string>>): string[] {
  return [
    '',
    'The cloud stays up. To speak to it from another shell:',
    ...howToSpeak(variables),
    `and then, say, \`npx penstock lag --stage ${STAGE}\`. Ctrl-C stops it.`,
  ];
}

interface Say {
  onStep(sentence: string, elapsedMs: number): void;
  onLook(views: readonly PipelineView[], elapsedMs: number): void;
}

const silent = (): Say => ({ onStep: () => undefined, onLook: () => undefined });

const renderStep = (sentence: string, elapsedMs: number): string =>
  `${seconds(elapsedMs).padStart(7)}  ${sentence}`;

/** One line a pipeline, about once a second. */
function plain(io: Io): Say {
  const notes = noteTaker();
  let lastMs = -Infinity;
  return {
    onStep: (sentence, elapsedMs) => printLines(io, [renderStep(sentence, elapsedMs)]),
    onLook(views, elapsedMs) {
      printLines(io, notes(views));
      if (elapsedMs - lastMs < PLAIN_GAP_MS) return;
      lastMs = elapsedMs;
      printLines(
        io,
        views.map((view) => renderPlain(view, elapsedMs)),
      );
    },
  };
}

/** A block that is drawn over itself. */
function live(io: Io, width: number): Say {
  const screen = redrawnBlock(io.out);
  const notes = noteTaker();
  let shown: string[] = [];
  let isDrawn = false;
  return {
    onStep(sentence, elapsedMs) {
      if (isDrawn) shown = [...shown, sentence].slice(-NOTES_SHOWN);
      else printLines(io, [renderStep(sentence, elapsedMs)]);
    },
    onLook(views, elapsedMs) {
      shown = [...shown, ...notes(views)].slice(-NOTES_SHOWN);
      isDrawn = true;
      screen.draw(renderLive(views, { elapsedMs, notes: shown, width }));
    },
  };
}

function noteTaker(): (views: readonly PipelineView[]) => string[] {
  const before = new Map<string, PipelineView>();
  return (views) =>
    views.flatMap((view) => {
      const notes = notesBetween(before.get(view.name), view);
      before.set(view.name, view);
      return notes;
    });
}
