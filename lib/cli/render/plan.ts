/** A plan as text: what is made, why so many shards, and what a month costs. */
import type { PipelinePlan, PlanAsk, ShardReasons } from '#cli/plan/plan-pipeline';
import type { ResourceGroup } from '#cli/plan/resources';
import { HOURS_PER_MONTH } from '#core/capacity/bill';
import type { Bill, BillLine } from '#core/capacity/bill';
import { SHARD_LIMITS } from '#core/capacity/plan-shards';
import type { ShardBound } from '#core/capacity/plan-shards';
import { ASSUMED, LOG_BYTES } from '#core/capacity/function-usage';
import { PRICES } from '#core/capacity/prices';
import { keySpreadLines } from './key-spread.ts';
import { bar, columns, count, plural } from './text.ts';

const BAR_WIDTH = 24;
const INDENT = '  ';
const NAMES_WIDTH = 76;
/** Above so many names, what they share is written once. */
const NAMES_WHOLE_MAX = 3;

export interface WholePlan {
  readonly ask: PlanAsk;
  readonly shared: readonly ResourceGroup[];
  readonly pipelines: readonly PipelinePlan[];
}

export function renderPlan({ ask, shared, pipelines }: WholePlan): string[] {
  const isPriced = Object.hasOwn(PRICES.regions, ask.region);
  return [
    ...(isPriced ? [] : [...unpricedLines(ask), '']),
    `Made once for the stage ${ask.stage}`,
    ...resourceLines(shared),
    ...pipelines.flatMap((plan) => ['', ...pipelineLines(plan, isPriced)]),
    ...(pipelines.length > 1 ? ['', `All of them: ${totalText(pipelines, isPriced)}`] : []),
    '',
    ...priceNotes(ask, isPriced),
  ];
}

/** Every number exactly; what is unknown is null. */
export function planJson({ ask, shared, pipelines }: WholePlan) {
  const isPriced = Object.hasOwn(PRICES.regions, ask.region);
  return {
    stage: ask.stage,
    region: ask.region,
    pricesOf: PRICES.date,
    hoursPerMonth: HOURS_PER_MONTH,
    meanPercent: ask.meanPercent ?? null,
    assumed: ASSUMED,
    shared,
    pipelines: pipelines.map(({ bill, keys, shards = null, recordsPerSec = null, ...plan }) => ({
      ...plan,
      keys: keys ? { ...keys, atPeak: keys.atPeak ?? null } : null,
      shards,
      recordsPerSec,
      bill: billJson(bill, isPriced),
      streamOnDemand: plan.streamOnDemand ? billJson(plan.streamOnDemand, isPriced) : null,
    })),
  };
}

function billJson({ lines, usd, isComplete }: Bill, isPriced: boolean) {
  return {
    usd: isPriced ? usd : null,
    isComplete,
    lines: lines.map((line) => ({
      ...line,
      quantity: line.quantity ?? null,
      usd: line.usd ?? null,
      pricedAt: line.pricedAt ?? null,
    })),
  };
}

function pipelineLines(plan: PipelinePlan, isPriced: boolean): string[] {
  const { pipeline, resources, shards, keys, bill } = plan;
  return [
    `${pipeline} makes`,
    ...resourceLines(resources),
    '',
    ...(shards === undefined ? ON_DEMAND : shardLines(plan.partitionBy, shards)),
    ...(keys === undefined ? [] : ['', ...keySpreadLines(keys, plan.partitionBy)]),
    '',
    `${pipeline} costs a month of ${HOURS_PER_MONTH} h, ${loadText(plan)}`,
    ...billLines(bill),
    `${INDENT}total: ${totalText([plan], isPriced)}`,
    ...onDemandLines(plan),
  ];
}

function resourceLines(groups: readonly ResourceGroup[]): string[] {
  return columns(
    groups.flatMap(({ kind, names }) =>
      wrapped(shortened(names)).map((line, at) => [`${INDENT}${at === 0 ? kind : ''}`, line]),
    ),
  );
}

/** @example shortened(['a-b-1', 'a-b-2', 'a-c', 'a-d']); // ['4, each a-…: b-1', 'b-2', 'c', 'd'] */
function shortened(names: readonly string[]): readonly string[] {
  const [first = '', ...rest] = names;
  if (names.length <= NAMES_WHOLE_MAX) return names;
  let end = first.length;
  for (const name of rest) while (!name.startsWith(first.slice(0, end))) end--;
  const prefix = first.slice(0, first.lastIndexOf('-', end) + 1);
  const [short = '', ...others] = names.map((name) => name.slice(prefix.length));
  return [`${names.length}, each ${prefix}…: ${short}`, ...others];
}

function wrapped(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const [at, word] of words.entries()) {
    const ended = at === words.length - 1 ? word : `${word},`;
    const joined = `${lines.at(-1)} ${ended}`;
    if (at > 0 && joined.length <= NAMES_WIDTH) lines[lines.length - 1] = joined;
    else lines.push(ended);
  }
  return lines;
}

const ON_DEMAND = [
  'Shards: on demand, AWS adds and removes them. No load is described: what follows it is unknown.',
];

function shardLines(partitionBy: string, shards: ShardReasons): string[] {
  const { recordsPerSecPeak: peak, recordBytesMean, headroom, readers, key } = shards;
  const { needed, boundBy, shardCount } = shards;
  const bytesPerSec = peak * recordBytesMean * headroom;
  const asked: readonly (readonly [ShardBound, number, number])[] = [
    ['records', peak * headroom, SHARD_LIMITS.writeRecordsPerSec],
    ['bytes', bytesPerSec, SHARD_LIMITS.writeBytesPerSec],
    ['reads', bytesPerSec * readers, SHARD_LIMITS.readBytesPerSec],
  ];
  const rows = asked.map(([bound, perSec, aShard]) => [
    `${INDENT}${bound}`,
    bar(needed[bound] / shardCount, BAR_WIDTH),
    `${number(needed[bound])} of ${plural(shardCount, 'shard')}`,
    `${number(perSec)} ${bound === 'records' ? 'records' : 'bytes'}/s, a shard takes ${number(aShard)}`,
    bound === boundBy ? '← decides' : '',
  ]);
  return [
    `Shards: ${count(shardCount)}, for ${number(peak)} records/s of ${number(recordBytesMean)} bytes ` +
      `at the peak, times ${headroom} of headroom, and ${plural(readers, 'reader')}`,
    ...columns(rows),
    `${INDENT}A single ${partitionBy} can have ${number(Math.floor(key.recordsPerSec))} records/s: ` +
      `all of them are in one shard, and its ${key.boundBy} decide.`,
    ...(shards.pageMsMax === undefined
      ? []
      : [
          `${INDENT}At the peak a page of the source may take ${number(Math.floor(shards.pageMsMax))} ms, ` +
            'or polls fall behind.',
        ]),
  ];
}

function loadText({ recordsPerSec, shards }: PipelinePlan): string {
  if (recordsPerSec === undefined || shards === undefined) return 'at a load that is not described';
  const rate = `${number(recordsPerSec)} records/s`;
  return recordsPerSec === shards.recordsPerSecPeak
    ? `at its peak all the time (${rate})`
    : `at ${rate} on average`;
}

function billLines({ lines }: Bill): string[] {
  const quantities = lines.map(quantityText);
  const prices = lines.map(usdText);
  const widest = Math.max(...prices.map((text) => text.length));
  return columns(
    lines.map((line, at) => [
      `${INDENT}${line.group === lines[at - 1]?.group ? '' : line.group}`,
      line.what,
      quantities[at] ?? '',
      (prices[at] ?? '').padStart(widest),
    ]),
  );
}

function quantityText({ quantity, pricedAt }: BillLine): string {
  if (quantity === undefined) return 'not described';
  const unit = pricedAt?.unit ?? '';
  return `${number(quantity)} ${quantity === 1 ? unit.replace(/s$/, '') : unit}`.trimEnd();
}

function usdText({ usd, pricedAt }: BillLine): string {
  if (usd === undefined) return 'unknown';
  return `${pricedAt?.confidence === 'medium' ? '~' : ''}${dollars(usd)}`;
}

function totalText(plans: readonly PipelinePlan[], isPriced: boolean): string {
  if (!isPriced) return 'unknown';
  const usd = plans.reduce((sum, { bill }) => sum + bill.usd, 0);
  const isComplete = plans.every(({ bill }) => bill.isComplete);
  return `${isComplete ? '' : 'at least '}${dollars(usd)} a month`;
}

function onDemandLines({ streamOnDemand, bill }: PipelinePlan): string[] {
  if (streamOnDemand === undefined || !streamOnDemand.isComplete) return [];
  const provisioned = bill.lines
    .filter(({ group }) => group === 'stream')
    .reduce((sum, { usd = 0 }) => sum + usd, 0);
  const both = `${dollars(streamOnDemand.usd)} on demand, ${dollars(provisioned)} as it is`;
  return [`${INDENT}The stream alone: ${both}.`];
}

/** Said first: without it, a plan reads as if it were free. */
function unpricedLines({ region }: PlanAsk): string[] {
  const [known = ''] = Object.keys(PRICES.regions);
  return [
    `No prices are known for ${region}: quantities alone are told; --region ${known} shows those of ${known}.`,
  ];
}

function priceNotes({ region, meanPercent }: PlanAsk, isPriced: boolean): string[] {
  const prices = `Prices of ${PRICES.date} in ${region}, without tax or free allowances; ~ is less certain. Ask AWS before a budget rests on them.`;
  return [
    ...(isPriced ? [prices] : []),
    'Assumed:',
    meanPercent === undefined
      ? `${INDENT}The mean load is not described, so the peak is priced; --mean 10 prices a tenth of it.`
      : `${INDENT}The mean load is ${meanPercent} % of the peak.`,
    `${INDENT}Every record has the mean size, in the stream and in the table; a batch holds no key twice.`,
    `${INDENT}A write takes ${ASSUMED.writeMs} ms, a call of a handler ${ASSUMED.callMs} ms and a page of the source ${ASSUMED.pageMs} ms; none is measured on AWS.`,
    `${INDENT}A batch logs ${number(LOG_BYTES.invocation + LOG_BYTES.batch)} bytes, a page ${number(LOG_BYTES.page)}, a poll ${number(LOG_BYTES.invocation + LOG_BYTES.poll)}; every metric is there all month.`,
    `${INDENT}Nothing is retried, refused or read again but what the horizon asks for.`,
  ];
}

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

function number(value: number): string {
  return NUMBER.format(value);
}

/** Less than a cent is said to be so. */
function dollars(usd: number): string {
  return usd > 0 && usd < 0.01 ? '<$0.01' : DOLLARS.format(usd);
}
