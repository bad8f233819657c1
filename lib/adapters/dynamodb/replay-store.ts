/** ReplayStore over the state table: one item for the run, and one for each shard that it came to. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AwsError } from '#adapters/aws/aws-error';
import { plainSequence, sortableSequence } from '#core/checkpoint/sortable-sequence';
import type { OfConsumer } from '#ports/breaker-store';
import type { ReplayPlace, ReplayRun, ReplayStore } from '#ports/replay-store';
import { queryItems } from './query-items.ts';
import {
  assertReadable,
  changeItem,
  ITEM_VERSION,
  number,
  readNumber,
  readNumberIfAny,
} from './state-item.ts';
import type { Item } from './state-item.ts';

const WHAT = 'a replay';
const RUN = 'run';
/** Nobody goes on with one so old: its records have left most streams. */
const KEPT_SEC = 30 * 86_400;

export function dynamoReplayStore(
  client: DynamoDBClient,
  { tableName }: { readonly tableName: string },
): ReplayStore {
  const placeOf = (of: OfConsumer, sk: string) => ({
    tableName,
    key: { pk: { S: partitionOf(of) }, sk: { S: sk } },
    what: WHAT,
  });

  return {
    async read(of) {
      const items = await queryItems(client, { tableName, pk: partitionOf(of), what: WHAT });
      const head = items.find((item) => item['sk']?.S === RUN);
      if (head === undefined) return undefined;
      assertReadable(WHAT, head);
      const run = runIn(head);
      const prefix = shardsOf(run);
      const own = items.filter((item) => item['sk']?.S?.startsWith(prefix));
      return { run, places: own.map((item) => placeIn(item, prefix)) };
    },

    async save(of, run, seenEpoch) {
      const { ask, plan, startedAtMs, finishedAtMs, epoch, owner, leaseUntilMs } = run;
      const seen =
        seenEpoch === undefined ? 'attribute_not_exists(#v)' : '#v <= :v AND #epoch = :seen';
      const result = await changeItem(client, placeOf(of, RUN), {
        update:
          'SET #v = :v, #ask = :ask, #plan = :plan, #startedAtMs = :started, #epoch = :epoch, ' +
          '#owner = :owner, #leaseUntilMs = :lease, #expires = :expires' +
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
          ':expires': expiryOf(run),
          ...(finishedAtMs !== null && { ':finished': number(finishedAtMs) }),
          ...(seenEpoch !== undefined && { ':seen': number(seenEpoch) }),
        },
      });
      return 'written' in result;
    },

    async move(of, run, { shardId, sequenceNumber, records, ended }) {
      const result = await changeItem(client, placeOf(of, shardsOf(run) + shardId), {
        update:
          'SET #v = :v, #epoch = :epoch, #records = :records, #ended = :ended, #expires = :expires' +
          (sequenceNumber === null ? '' : ', #sequence = :sequence'),
        condition: 'attribute_not_exists(#epoch) OR #epoch <= :epoch',
        values: {
          ':v': number(ITEM_VERSION),
          ':epoch': number(run.epoch),
          ':records': number(records),
          ':ended': { BOOL: ended },
          ':expires': expiryOf(run),
          ...(sequenceNumber !== null && {
            ':sequence': { S: sortableSequence(sequenceNumber) },
          }),
        },
      });
      if ('written' in result) return;
      throw new AwsError('Another run has taken the replay up', { retryable: false, cause: null });
    },
  };
}

function partitionOf({ pipeline, consumer }: OfConsumer): string {
  return `replay#${pipeline}#${consumer}`;
}

/** What the sort keys of a run's shards begin with. */
function shardsOf({ startedAtMs }: ReplayRun): string {
  return `${startedAtMs}#`;
}

function expiryOf({ startedAtMs }: ReplayRun) {
  return number(Math.floor(startedAtMs / 1_000) + KEPT_SEC);
}

function runIn(item: Item): ReplayRun {
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

function placeIn(item: Item, prefix: string): ReplayPlace {
  const sequence = item['sequence']?.S;
  return {
    shardId: item['sk']?.S?.slice(prefix.length) ?? '',
    sequenceNumber: sequence === undefined ? null : plainSequence(sequence),
    records: readNumber(item, 'records'),
    ended: item['ended']?.BOOL ?? false,
  };
}
