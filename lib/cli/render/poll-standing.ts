/** A poller's place in its source, its lease and its pause. */
import { FRESH_CURSOR } from '#core/source/cursor';
import type { Cursor, Run } from '#core/source/cursor';
import { decodeCursor } from '#core/source/cursor-text';
import type { PollStanding } from '#ports/poll-control';
import { pauseJson, pauseText } from './pause.ts';
import { columns, iso, plural, shorten } from './text.ts';

export interface StandingView {
  readonly pipeline: string;
  readonly stage: string;
  /** Undefined: it never ran. */
  readonly standing: PollStanding | undefined;
}

const TOKEN_WIDTH = 24;

/** Everything, exactly as it is kept; moments as ISO 8601. */
export function standingJson({ pipeline, stage, standing }: StandingView, nowMs: number): object {
  const place = { pipeline, stage };
  if (standing === undefined) return { ...place, polled: false };
  const { epoch, leaseUntilMs, notBeforeMs, savedAtMs, succeededAtMs, end, pause } = standing;
  return {
    ...place,
    polled: true,
    cursor: decodeCursor(standing.cursor),
    savedAt: savedAtMs === undefined ? null : iso(savedAtMs),
    succeededAt: succeededAtMs === undefined ? null : iso(succeededAtMs),
    endedAt: end === undefined ? null : iso(end.atMs),
    outcome: end?.outcome ?? null,
    detail: end?.detail ?? null,
    lease: { epoch, heldUntil: leaseUntilMs > nowMs ? iso(leaseUntilMs) : null },
    parkedUntil: notBeforeMs > nowMs ? iso(notBeforeMs) : null,
    paused: pauseJson(pause),
  };
}

export function standingLines({ pipeline, standing }: StandingView, nowMs: number): string[] {
  if (standing === undefined) {
    return [`${pipeline} has not polled yet: its first poll reads the source from the beginning.`];
  }
  const { epoch, leaseUntilMs, notBeforeMs, savedAtMs, succeededAtMs, end, pause } = standing;
  const { boundary, run, token, resync } = decodeCursor(standing.cursor);
  const lease = leaseUntilMs > nowMs ? `held until ${iso(leaseUntilMs)}` : 'free';
  return columns([
    ...(token === undefined
      ? [['boundary', boundary ?? 'none: the source was not read to its end yet'] as const]
      : [['token', tokenText(token)] as const]),
    ...(resync ? [['full read', `since ${iso(resync.atMs)}: the token was too old`] as const] : []),
    ['run', runText(run)],
    ['saved', savedAtMs === undefined ? 'by no poll yet' : iso(savedAtMs)],
    ['success', succeededAtMs === undefined ? 'of no poll yet' : iso(succeededAtMs)],
    ['last end', endText(end)],
    ['lease', `${lease} (epoch ${epoch})`],
    ['parked', notBeforeMs > nowMs ? `until ${iso(notBeforeMs)}, as the source asked` : 'no'],
    ['paused', pauseText(pause)],
  ]);
}

/** What a change of the cursor changes. */
export function changeLines(before: Cursor, after: Cursor | undefined): string[] {
  const { boundary, run, token } = after ?? FRESH_CURSOR;
  return columns([
    ['boundary', `${before.boundary ?? 'none'} → ${boundary ?? 'none'}`],
    ...(before.token === undefined && token === undefined
      ? []
      : [['token', `${tokenText(before.token)} → ${tokenText(token)}`] as const]),
    ['run', `${runText(before.run)} → ${runText(run)}`],
  ]);
}

function tokenText(token: string | undefined): string {
  return token === undefined ? 'none' : `'${shorten(token, TOKEN_WIDTH)}'`;
}

function runText(run: Run | null): string {
  if (run === null) return 'none';
  return `at page '${shorten(run.token, TOKEN_WIDTH)}', ${plural(run.rows.count, 'row')} so far`;
}

function endText(end: PollStanding['end']): string {
  if (end === undefined) return 'of no poll yet';
  return `${end.outcome} at ${iso(end.atMs)}${end.detail === undefined ? '' : `: ${end.detail}`}`;
}
