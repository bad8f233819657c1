/** The item of work that lasts: who holds it, and what it means. */
import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { HeldJob } from '#ports/held-job';
import { changeItem, ITEM_VERSION, number, readNumber, readNumberIfAny } from './state-item.ts';
import type { Item, ItemPlace } from './state-item.ts';

/** Its sort key. */
export const RUN = 'run';

/** Nobody goes on with one so old: its records have left most streams. */
const KEPT_SEC = 30 * 86_400;

export function expiryOf({ startedAtMs }: HeldJob): AttributeValue {
  return number(Math.floor(startedAtMs / 1_000) + KEPT_SEC);
}

/** Write it where the epoch that stands is `seenEpoch`, or none is; else false. */
export async function saveJob(
  client: DynamoDBClient,
  place: ItemPlace,
  run: HeldJob,
  {
    seenEpoch,
    expires,
  }: { readonly seenEpoch: number | undefined; readonly expires?: AttributeValue | undefined },
): Promise<boolean> {
  const { ask, plan, startedAtMs, finishedAtMs, epoch, owner, leaseUntilMs } = run;
  const seen = seenEpoch === undefined ? 'attribute_not_exists(#v)' : '#v <= :v AND #epoch = :seen';
  const result = await changeItem(client, place, {
    update:
      'SET #v = :v, #ask = :ask, #plan = :plan, #startedAtMs = :started, #epoch = :epoch, ' +
      '#owner = :owner, #leaseUntilMs = :lease' +
      (expires === undefined ? '' : ', #expires = :expires') +
      (finishedAtMs === null ? ' REMOVE #finishedAtMs' : ', #finishedAtMs = :finished'),
    condition: seen,
    values: {
      ':v': number(ITEM_VERSION),
      ':ask': { S: ask },
      ':plan': { S: plan },
      ':started': number(startedAtMs),
      ':epoch': number(epoch),
      ':owner': { S: owner },
      ':lease': number(leaseUntilMs),
      ...(expires !== undefined && { ':expires': expires }),
      ...(finishedAtMs !== null && { ':finished': number(finishedAtMs) }),
      ...(seenEpoch !== undefined && { ':seen': number(seenEpoch) }),
    },
  });
  return 'written' in result;
}

export function jobIn(item: Item): HeldJob {
  return {
    ask: item['ask']?.S ?? '',
    plan: item['plan']?.S ?? '',
    startedAtMs: readNumber(item, 'startedAtMs'),
    finishedAtMs: readNumberIfAny(item, 'finishedAtMs') ?? null,
    epoch: readNumber(item, 'epoch'),
    owner: item['owner']?.S ?? '',
    leaseUntilMs: readNumber(item, 'leaseUntilMs'),
  };
}
