/** PollStateStore over one DynamoDB item a pipeline: every write is fenced by the lease's epoch. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '#ports/clock';
import type { PollEnd, PollStateStore } from '#ports/poll-state';
import { assertPollReadable, failingIn, pauseIn, pollItem, sentIn } from './poll-state-item.ts';
import { changeItem, ITEM_VERSION, number, readNumber } from './state-item.ts';
import type { Item, ItemChange } from './state-item.ts';

export function dynamoPollStateStore(
  client: DynamoDBClient,
  { tableName, clock }: { tableName: string; clock: Clock },
): PollStateStore {
  const change = (pipeline: string, how: ItemChange) =>
    changeItem(client, pollItem(tableName, pipeline), how);

  return {
    async acquire({ pipeline, nowMs, leaseMs }) {
      const untilMs = nowMs + leaseMs;
      const result = await change(pipeline, {
        update:
          'SET #v = :v, #leaseUntilMs = :until, #epoch = if_not_exists(#epoch, :zero) + :one, ' +
          '#notBeforeMs = if_not_exists(#notBeforeMs, :zero), ' +
          '#firstAtMs = if_not_exists(#firstAtMs, :now)',
        condition:
          'attribute_not_exists(#pk) OR ' +
          '(#leaseUntilMs <= :now AND #v <= :v AND attribute_not_exists(#pausedAtMs))',
        values: {
          ':v': number(ITEM_VERSION),
          ':until': number(untilMs),
          ':now': number(nowMs),
          ':zero': number(0),
          ':one': number(1),
        },
      });
      if ('standing' in result) {
        assertPollReadable(pipeline, result.standing);
        const pause = pauseIn(result.standing);
        if (pause !== undefined) return { kind: 'paused', pause };
        return { kind: 'held', untilMs: readNumber(result.standing, 'leaseUntilMs') };
      }
      const { written } = result;
      return {
        kind: 'acquired',
        lease: { pipeline, epoch: readNumber(written, 'epoch'), untilMs },
        state: {
          cursor: written['cursor']?.S,
          notBeforeMs: readNumber(written, 'notBeforeMs'),
          ...sentIn(written),
        },
        failing: failingIn(written),
      };
    },

    async save(lease, { cursor, notBeforeMs, sent }, untilMs) {
      const result = await change(lease.pipeline, {
        update:
          'SET #leaseUntilMs = :until, #notBeforeMs = :notBefore, #savedAtMs = :now' +
          (cursor === undefined ? '' : ', #cursor = :cursor') +
          (sent === undefined ? '' : ', #sent = :sent'),
        condition: '#epoch = :epoch',
        values: {
          ':until': number(untilMs),
          ':notBefore': number(notBeforeMs),
          ':now': number(clock.nowMs()),
          ':epoch': number(lease.epoch),
          ...(cursor === undefined ? {} : { ':cursor': { S: cursor } }),
          ...(sent === undefined ? {} : { ':sent': { S: sent } }),
        },
      });
      return 'written' in result ? { ...lease, untilMs } : undefined;
    },

    async release(lease, end, sent) {
      const kept = end === undefined ? { update: '', values: {} } : endUpdate(end);
      await change(lease.pipeline, {
        update: `SET #leaseUntilMs = :zero${sent === undefined ? '' : ', #sent = :sent'}${kept.update}`,
        condition: '#epoch = :epoch',
        values: {
          ':zero': number(0),
          ':epoch': number(lease.epoch),
          ...kept.values,
          ...(sent === undefined ? {} : { ':sent': { S: sent } }),
        },
      });
    },
  };
}

/** The rest of an update that has set something. */
function endUpdate({ outcome, atMs, succeeded, detail, failing }: PollEnd): {
  update: string;
  values: Item;
} {
  const gone = [
    ...(detail === undefined ? ['#detail'] : []),
    ...(succeeded ? ['#failures', '#failingSinceMs', '#retryAtMs'] : []),
  ];
  return {
    update:
      ', #outcome = :outcome, #endedAtMs = :ended' +
      (succeeded ? ', #succeededAtMs = :ended' : '') +
      (detail === undefined ? '' : ', #detail = :detail') +
      (failing === undefined
        ? ''
        : ', #failures = :failures, #failingSinceMs = :since, #retryAtMs = :retryAt') +
      (gone.length === 0 ? '' : ` REMOVE ${gone.join(', ')}`),
    values: {
      ':outcome': { S: outcome },
      ':ended': number(atMs),
      ...(detail === undefined ? {} : { ':detail': { S: detail } }),
      ...(failing === undefined
        ? {}
        : {
            ':failures': number(failing.count),
            ':since': number(failing.sinceMs),
            ':retryAt': number(failing.retryAtMs),
          }),
    },
  };
}
