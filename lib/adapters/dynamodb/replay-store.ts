/** ReplayStore over the state table: one item for the run, and one for each shard that it came to. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AwsError } from '#adapters/aws/aws-error';
import { plainSequence, sortableSequence } from '#core/checkpoint/sortable-sequence';
import type { OfConsumer } from '#ports/breaker-store';
import type { ReplayPlace, ReplayRun, ReplayStore } from '#ports/replay-store';
import { expiryOf, jobIn, RUN, saveJob } from './held-job-item.ts';
import { queryItems } from './query-items.ts';
import { assertReadable, changeItem, ITEM_VERSION, number, readNumber } from './state-item.ts';
import type { Item } from './state-item.ts';

const WHAT = 'a replay';

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
      const run = jobIn(head);
      const prefix = shardsOf(run);
      const own = items.filter((item) => item['sk']?.S?.startsWith(prefix));
      return { run, places: own.map((item) => placeIn(item, prefix)) };
    },

    save: (of, run, seenEpoch) =>
      saveJob(client, placeOf(of, RUN), run, { seenEpoch, expires: expiryOf(run) }),

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

function placeIn(item: Item, prefix: string): ReplayPlace {
  const sequence = item['sequence']?.S;
  return {
    shardId: item['sk']?.S?.slice(prefix.length) ?? '',
    sequenceNumber: sequence === undefined ? null : plainSequence(sequence),
    records: readNumber(item, 'records'),
    ended: item['ended']?.BOOL ?? false,
  };
}
