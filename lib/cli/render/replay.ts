/** A replay before, while and after it runs, as text and as JSON. */
import { CLOCKS_APART_MS } from '#cli/replay-ask';
import type { ReplayRange } from '#cli/replay-ask';
import type { ReplayScope } from '#cli/replay-plan';
import type { ReplayTally } from '#cli/replay-tally';
import type { ReplayEnd } from '#pipeline/replay';
import type { ShardPlace } from '#ports/shard-reader';
import { bytesText, count, iso, plural, shorten, span } from './text.ts';

export interface ReplayView {
  readonly pipeline: string;
  readonly consumer: string;
  readonly kind: 'table' | 'handler';
  readonly range: ReplayRange;
  /** Without an end of its own it ends at the tip. */
  readonly hasEnd: boolean;
  readonly recordsPerSec: number;
}

/** Of 56 digits, those at the end tell one record from the next. */
const SEQUENCE_WIDTH = 17;

/** What will be done, and what cannot be any more. */
export function scopeLines(view: ReplayView, scope: ReplayScope): string[] {
  const { pipeline, consumer, kind, range, hasEnd, recordsPerSec } = view;
  const end = hasEnd ? endText(view) : `the tip as of ${endText(view)}`;
  const { shards, goneShardIds, reachesBehind, horizonMs, retentionHours } = scope;
  return [
    `${pipeline}, ${consumer}: ${plural(shards.length, 'shard')} from ${placeText(range.from)} to ${end}, ` +
      `at most ${plural(recordsPerSec, 'record')} a second.`,
    ...(reachesBehind
      ? [
          `What arrived before ${iso(horizonMs)} has left the stream, which keeps ${plural(retentionHours, 'hour')}: it is not replayed.`,
        ]
      : []),
    ...(goneShardIds.length > 0 ? [`Gone with all they held: ${goneShardIds.join(', ')}.`] : []),
    kind === 'table'
      ? 'Nothing is doubled in the table: a newer version of a key stands, an older one is left out.'
      : 'The handler gets every record again: what it does a second time is up to it.',
  ];
}

/** @example tallyLine(tally) // '12,000 records, 4.1 MB, 2 of 5 shards; stands at 2031-…; about 4 min to go' */
export function tallyLine({ records, bytes, shards, standsAtMs, leftMs }: ReplayTally): string {
  const facts = [
    `${plural(records, 'record')}, ${bytesText(bytes)}, ${count(shards.ended)} of ${plural(shards.all, 'shard')} read out`,
    ...(standsAtMs === undefined ? [] : [`stands at ${iso(standsAtMs)}`]),
    ...(leftMs === undefined ? [] : [`about ${span(leftMs)} to go`]),
  ];
  return `${facts.join('; ')}.`;
}

/** How it ended, and what goes on with it. */
export function endLines(end: ReplayEnd, tally: ReplayTally, resumeWith: string): string[] {
  const { ends, records } = tally;
  const kinds = Object.entries(ends).filter(([, many]) => many > 0);
  const how = kinds.map(([name, many]) => `${count(many)} ${name}`).join(', ');
  const told = `${plural(records, 'record')}${how === '' ? '' : `: ${how}`}.`;
  switch (end.kind) {
    case 'done':
      return [`Done: ${told}`];
    case 'interrupted':
      return [`Stopped: ${told} This goes on from there:`, resumeWith];
    case 'stuck':
      return [
        `Stopped after ${told} A record stays unfinished: ${end.shardId} ${end.sequenceNumber}: ${end.detail}.`,
        'Once that is mended, this goes on from there:',
        resumeWith,
      ];
  }
}

export function dryRunLine({ records, bytes, shards }: ReplayTally, recordsPerSec: number): string {
  const tookMs = (records * 1_000) / recordsPerSec;
  return (
    `${plural(records, 'record')}, ${bytesText(bytes)}, in ${plural(shards.all, 'shard')}; ` +
    `about ${span(tookMs)} at ${plural(recordsPerSec, 'record')} a second. Nothing was sent.`
  );
}

/** Moments as ISO 8601; `to` is when it was begun where it ends at the tip as of then. */
export function replayJson(
  view: ReplayView,
  scope: ReplayScope,
  { records, bytes, ends }: ReplayTally,
): object {
  const { pipeline, consumer, range, recordsPerSec } = view;
  return {
    pipeline,
    consumer,
    from: placeText(range.from),
    to: endText(view),
    toTip: !view.hasEnd,
    shards: scope.shards.length,
    goneShards: scope.goneShardIds,
    oldestKept: iso(scope.horizonMs),
    reachesBehindOldest: scope.reachesBehind,
    recordsPerSec,
    records,
    bytes,
    ends,
  };
}

function placeText(place: ShardPlace): string {
  switch (place.kind) {
    case 'trim-horizon':
      return 'the oldest record';
    case 'at':
      return iso(place.timestampMs);
    case 'from':
    case 'after':
      return `record ${shorten(place.sequenceNumber, SEQUENCE_WIDTH)}`;
  }
}

function endText({ range: { end }, hasEnd }: Pick<ReplayView, 'range' | 'hasEnd'>): string {
  if (end.kind === 'sequence') return `record ${shorten(end.sequenceNumber, SEQUENCE_WIDTH)}`;
  return iso(hasEnd ? end.untilMs : end.untilMs - CLOCKS_APART_MS);
}
