/** penstock demo: two sources, a local cloud, and the proof that nothing was lost. */
import type { Command } from 'commander';
import { runDemo } from '#cli/demo/run-demo';
import { listenForInterrupt, INTERRUPTED } from '#cli/interrupt';
import { printJson, printLines, wholeNumber } from '#cli/io';
import type { Io } from '#cli/io';
import { withExample, withJson } from '#cli/options';
import { notesBetween, renderLive, renderPlain } from '#cli/render/live';
import type { PipelineView } from '#cli/render/live';
import { holds, reconciliationJson, renderReconciliation } from '#cli/render/verdict';
import { redrawnBlock } from '#cli/screen';

interface DemoOptions {
  readonly seed: string;
  readonly changes: string;
  readonly json?: boolean;
}

const NOTES_SHOWN = 4;
const PLAIN_GAP_MS = 900;

export function addDemo(program: Command, io: Io, fail: () => void): void {
  const command = program
    .command('demo')
    .summary('watch two demo sources flow into tables')
    .description(
      'Start two demo sources and a local cloud made of the synthesized app, poll until the ' +
        'sources are quiet, and compare every row of the tables with its source.',
    )
    .option('--seed <number>', 'decides what happens at the sources', '7')
    .option('--changes <count>', 'changes of orders while they are polled', '20000')
    .action((options: DemoOptions) => demo(options, io, fail));
  withExample(
    withJson(command, 'print only the reconciliation, as JSON'),
    'penstock demo',
    'penstock demo --seed 42 --json',
  );
}

async function demo(options: DemoOptions, io: Io, fail: () => void): Promise<void> {
  const seed = wholeNumber(options.seed, '--seed');
  const changes = wholeNumber(options.changes, '--changes');
  const interrupt = listenForInterrupt(() => process.exit(INTERRUPTED));
  const say = options.json
    ? silent()
    : io.terminalWidth === undefined
      ? plain(io)
      : live(io, io.terminalWidth);
  try {
    const found = await runDemo({ env: io.env, seed, changes, signal: interrupt.signal, ...say });
    if (!holds(found)) fail();
    if (options.json) printJson(io, reconciliationJson(found));
    else printLines(io, ['', ...renderReconciliation(found)]);
  } finally {
    interrupt.release();
  }
}

interface Say {
  onStep(sentence: string): void;
  onLook(views: readonly PipelineView[], elapsedMs: number): void;
}

const silent = (): Say => ({ onStep: () => undefined, onLook: () => undefined });

/** One line a pipeline, about once a second. */
function plain(io: Io): Say {
  const notes = noteTaker();
  let lastMs = -Infinity;
  return {
    onStep: (sentence) => printLines(io, [sentence]),
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
  return {
    onStep: (sentence) => printLines(io, [sentence]),
    onLook(views, elapsedMs) {
      shown = [...shown, ...notes(views)].slice(-NOTES_SHOWN);
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
