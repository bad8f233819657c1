/** How keys spread over shards, as text: how many shards they can use, and what is too hot. */
import type { Demand, KeySpread, ShardSpread } from '#core/capacity/key-spread';
import { ASSUMED } from '#core/capacity/function-usage';
import { bar, columns, count, plural, shorten } from './text.ts';

const INDENT = '  ';
const BAR_WIDTH = 24;
const KEY_WIDTH = 40;
/** The fullest; the others are named together. */
const SHARDS_SHOWN_MAX = 10;

/** @param partitionBy what a record holds that is its partition key. */
export function keySpreadLines(spread: KeySpread, partitionBy: string): string[] {
  const { keys, records, hottestKey, atPeak } = spread;
  const name = `${partitionBy} '${shorten(hottestKey.partitionKey, KEY_WIDTH)}'`;
  const hottest = `the most, ${percent(hottestKey.share)}, belong to ${name}`;
  return [
    `Keys: ${plural(keys, 'key')} in ${plural(records, 'record')}; ${hottest}`,
    ...(atPeak === undefined
      ? [
          `${INDENT}${plural(keys, 'key')} can use ${plural(keys, 'shard')} at most, however many AWS adds.`,
        ]
      : [
          ...shardLines(atPeak.shards, keys),
          ...hotShardLines(atPeak.hottestShard, atPeak.hottestKey),
          ...hotKeyLines(atPeak.hottestKey, atPeak.keyRecordsPerSecMax),
        ]),
  ];
}

function shardLines(shards: readonly ShardSpread[], keys: number): string[] {
  const used = shards.filter((shard) => shard.keys > 0);
  const usable = Math.min(keys, shards.length);
  const fullest = used.toSorted((a, b) => b.share - a.share);
  const shown = fullest.slice(0, SHARDS_SHOWN_MAX);
  const rest = fullest.length - shown.length;
  return [
    `${INDENT}They can use ${usable} of ${plural(shards.length, 'shard')} at most, and use ${used.length}: their MD5 decides which.`,
    ...columns(
      shown.map(({ shardId, share, keys: own }) => [
        `${INDENT}${shardId.replace(/^shardId-0*(?=\d)/, 'shard ')}`,
        bar(share / (shown[0]?.share ?? 1), BAR_WIDTH),
        percent(share),
        plural(own, 'key'),
      ]),
    ),
    ...(rest > 0 ? [`${INDENT}and ${plural(rest, 'shard')} with less each`] : []),
  ];
}

function hotShardLines(shard: Demand, key: Demand): string[] {
  const rate = `${perSec(shard)}, ${times(shard.ofOneShard)} times the ${shard.boundBy} that a shard takes`;
  const says = `${INDENT}At the peak the fullest shard is asked for ${rate}`;
  if (shard.ofOneShard <= 1) return [`${says}.`];
  const way = key.ofOneShard > 1 ? '' : ' More shards may part its keys.';
  return [`${says}: it throttles.${way}`];
}

function hotKeyLines(key: Demand, keyRecordsPerSecMax: number): string[] {
  const lines = [
    `${INDENT}The hottest key has ${perSec(key)} of it, ${times(key.ofOneShard)} times the ${key.boundBy} that a shard takes` +
      (key.ofOneShard > 1
        ? ': one key is in one shard, so no number of shards is enough. Partition by something finer.'
        : '.'),
  ];
  if (key.recordsPerSec <= keyRecordsPerSecMax) return lines;
  return [
    ...lines,
    `${INDENT}One record of a key is under way at a time: at ${ASSUMED.putMs} ms a request that is ${count(keyRecordsPerSecMax)} records/s, ` +
      'and the hottest key has more at the peak. It falls behind.',
  ];
}

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

function perSec({ recordsPerSec }: Demand): string {
  return `${NUMBER.format(recordsPerSec)} records/s`;
}

function times(value: number): string {
  return NUMBER.format(value);
}

function percent(share: number): string {
  return `${NUMBER.format(share * 100)} %`;
}
