/** How far each consumer is behind, as a table and as JSON. */
import type { ConsumerLag, ShardLag } from '#cli/lag-report';
import { openJson, tripText } from './breaker.ts';
import { columns, count, isoOrNull, plural, shorten, span } from './text.ts';

/** Of 56 digits, those at the end tell one record from the next. */
const SEQUENCE_WIDTH = 17;
const NOTHING = '-';

export function renderLag(consumers: readonly ConsumerLag[], nowMs: number): string[] {
  const rows = consumers.flatMap(({ shards }) => shards);
  if (rows.length === 0) return ['No shard holds anything yet.'];
  const isTrended = rows.some(({ trend }) => trend !== null);
  const rates = isTrended ? ['DONE/S', 'IN/S', 'TREND'] : [];
  const head = ['PIPELINE', 'CONSUMER', 'SHARD', 'BEHIND', 'RECORDS', ...rates];
  const cells = rows.map((row) => [
    row.pipeline,
    row.consumer,
    row.shardId,
    span(row.behindMs),
    countText(row.behindRecords),
    ...(isTrended ? trendCells(row) : []),
    row.share === null ? NOTHING : `${Math.round(row.share * 100)} %`,
    sequenceText(row.checkpoint),
    sequenceText(row.tip),
    noteOf(row),
  ]);
  return [
    ...columns([[...head, 'SHARE', 'CHECKPOINT', 'TIP', ''], ...cells]),
    ...consumers.flatMap((consumer) => consumerLines(consumer, nowMs)),
  ];
}

function trendCells({ trend }: ShardLag): string[] {
  if (trend === null) return [NOTHING, NOTHING, 'new'];
  const { kind, catchUpMs, donePerSec, arrivingPerSec } = trend;
  const until = catchUpMs === null ? '' : `, ${span(catchUpMs)} to go`;
  return [rateText(donePerSec), rateText(arrivingPerSec), kind + until];
}

function noteOf({ state, checkpoint }: ShardLag): string {
  const notes = [
    ...(state === 'closed' ? ['closed, to be drained'] : []),
    ...(state === 'waits' ? ['waits for its parents'] : []),
    ...(checkpoint === null ? ['no checkpoint yet'] : []),
  ];
  return notes.join('; ');
}

/** Only what the rows do not say by themselves: of one shard nothing, unless its consumer stands still. */
function consumerLines(lag: ConsumerLag, nowMs: number): string[] {
  const { pipeline, consumer, shards, worst, stopped } = lag;
  const who = `${pipeline}, ${consumer}`;
  const whole =
    worst === undefined
      ? `${who}: nothing waits in ${plural(shards.length, 'shard')}.`
      : `${who}: worst ${worst.shardId}, ${span(worst.behindMs)} behind; ` +
        `in all ${countText(lag.behindRecords)} waiting in ${plural(shards.length, 'shard')}${ratesText(lag)}.`;
  return [
    ...(shards.length > 1 ? [whole] : []),
    ...(stopped === undefined
      ? []
      : [
          `${who}: STOPPED for ${span(nowMs - stopped.sinceMs)}: ${tripText(stopped)}; see penstock breaker show ${pipeline}`,
        ]),
  ];
}

function ratesText({ donePerSec, arrivingPerSec }: ConsumerLag): string {
  if (donePerSec === null) return '';
  return `; ${rateText(donePerSec)} done and ${rateText(arrivingPerSec)} arriving a second`;
}

function countText(records: number | null): string {
  return records === null ? 'many' : count(records);
}

function rateText(perSec: number | null): string {
  if (perSec === null) return '?';
  return perSec === 0 || perSec >= 10 ? count(Math.round(perSec)) : perSec.toFixed(1);
}

function sequenceText(sequence: string | null): string {
  return sequence === null ? NOTHING : shorten(sequence, SEQUENCE_WIDTH);
}

/** One object a shard; moments as ISO 8601. */
export function lagJson(consumers: readonly ConsumerLag[]): object[] {
  return consumers.flatMap(({ shards, stopped }) =>
    shards.map(({ eventTimeMs, atMs, ...row }) => ({
      ...row,
      eventTime: isoOrNull(eventTimeMs),
      at: new Date(atMs).toISOString(),
      stopped: stopped === undefined ? null : openJson(stopped),
    })),
  );
}
