/** Shows and moves a pipeline's place in its source. */
import type { PipelineSettings } from '#config/pipeline-settings';
import type { Cursor } from '#core/source/cursor';
import { decodeCursor, encodeCursor } from '#core/source/cursor-text';
import { confirmByName, requireConsent } from './confirm.ts';
import type { ConfirmOptions } from './confirm.ts';
import { printJson, printLines, sayLines } from './io.ts';
import type { Io } from './io.ts';
import { loadAll, pick } from './load.ts';
import { withConnection } from './options.ts';
import type { CloudOptions } from './options.ts';
import { pollControl } from './poll-control.ts';
import { changeLines, standingJson, standingLines } from './render/poll-standing.ts';
import { assertAskedByTime, cursorAnew, cursorAt, parseAt, skippedBy } from './set-cursor.ts';

export interface ShowOptions extends CloudOptions {
  readonly json?: boolean;
}

export interface MoveOptions extends ShowOptions, ConfirmOptions {}

export interface SetOptions extends MoveOptions {
  readonly at: string;
  readonly allowSkip?: boolean;
}

export async function showCursor(pipeline: string, options: ShowOptions, io: Io): Promise<void> {
  const { stage, json } = options;
  pick(await loadAll(stage), pipeline);
  const standing = await withConnection(options, io, (connection) =>
    pollControl(connection, stage).read(pipeline),
  );
  const view = { pipeline, stage, standing };
  if (json) printJson(io, standingJson(view, Date.now()));
  else printLines(io, standingLines(view, Date.now()));
}

export async function setCursor(pipeline: string, options: SetOptions, io: Io): Promise<void> {
  const at = parseAt(options.at, Date.now());
  const allowSkip = options.allowSkip ?? false;
  await move(pipeline, options, io, (before, settings) => {
    assertAskedByTime(settings);
    return cursorAt(before, at, { allowSkip });
  });
}

export async function resetCursor(pipeline: string, options: MoveOptions, io: Io): Promise<void> {
  await move(pipeline, options, io, cursorAnew);
}

/** @param moved the cursor that is to be there; undefined is a source never read. */
async function move(
  pipeline: string,
  options: MoveOptions,
  io: Io,
  moved: (before: Cursor, settings: PipelineSettings) => Cursor | undefined,
): Promise<void> {
  const { stage, json, dryRun = false } = options;
  requireConsent(options, io);
  const settings = pick(await loadAll(stage), pipeline);
  await withConnection(options, io, async (connection) => {
    const control = pollControl(connection, stage);
    const before = decodeCursor((await control.read(pipeline))?.cursor);
    const after = moved(before, settings);
    const skipped = after?.boundary ? skippedBy(before, after.boundary) : undefined;
    const told = [...changeLines(before, after), ...consequences(after, skipped)];
    if (!json) printLines(io, told);
    else if (!dryRun && !options.yes) sayLines(io, told);
    if (!dryRun) {
      await confirmByName(pipeline, options, io);
      await control.setCursor(pipeline, after && encodeCursor(after));
    }
    const written = !dryRun;
    if (json) {
      const skips = skipped ?? null;
      printJson(io, { pipeline, stage, before, after: after ?? null, skips, written });
    } else {
      printLines(io, [written ? `Done: ${pipeline} polls on from there.` : 'Nothing was changed.']);
    }
  });
}

function consequences(after: Cursor | undefined, skipped: string | undefined): string[] {
  const since = after?.boundary ?? null;
  return [
    ...(skipped === undefined ? [] : [`What changed at the source ${skipped} is never polled.`]),
    since === null
      ? 'The whole source is polled and published again.'
      : `Everything that changed at the source since ${since} is polled and published again.`,
    'Nothing is doubled in the table: an item is written over itself.',
    'A poll that is at work cannot save over it, and the next begins when its lease has run out.',
  ];
}
