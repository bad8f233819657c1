/** Ports over a quarantine bucket, and the hands that fill it as others do. */
import { randomUUID } from 'node:crypto';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { objectBucket } from '#adapters/objects/bucket';
import { bucketGivenUpDocuments } from '#adapters/objects/given-up-documents';
import { bucketKeptRecords } from '#adapters/objects/kept-records';
import { bucketQuarantine } from '#adapters/objects/quarantine';
import { quarantineKey } from '#adapters/objects/quarantine-object';
import { systemClock as clock } from '#adapters/system/clock';
import type { SetAside } from '#ports/quarantine';
import type { OpenGivenUpDocuments } from './given-up-documents.contract.ts';
import type { OpenKeptRecords } from './kept-records.contract.ts';

const FUNCTION_ARN = 'arn:aws:lambda:us-east-1:000000000000:function:';

export function keptRecordsIn(send: SignedFetch, name: string): OpenKeptRecords {
  const bucket = objectBucket(send, name);
  const quarantine = bucketQuarantine(send, name);
  return {
    records: bucketKeptRecords(bucket, { clock }),
    async put({ data: payload, ...origin }, reason = 'not-json') {
      const one: SetAside = {
        pipeline: 'orders',
        stage: 'audit',
        reason,
        detail: 'bytes that are not JSON in UTF-8',
        place: `${origin.shardId}-${origin.sequenceNumber}`,
        payload,
        origin,
        atMs: origin.arrivalTimeMs,
      };
      await quarantine.put(one);
      return quarantineKey(one);
    },
    async retired() {
      const ended: (readonly [string, string])[] = [];
      for await (const { key } of bucket.list('redriven/')) {
        const { redriven } = JSON.parse(Buffer.from((await bucket.get(key))!).toString());
        ended.push([key.slice('redriven/'.length), redriven.end]);
      }
      return ended;
    },
  };
}

/** @param functionName whose mapping gives up; the one of the consumer `audit`. */
export function givenUpDocumentsIn(
  send: SignedFetch,
  name: string,
  functionName = 'consume-audit',
): OpenGivenUpDocuments {
  const bucket = objectBucket(send, name);
  const mapping = randomUUID();
  return {
    documents: bucketGivenUpDocuments(bucket, (fn) => (fn === functionName ? 'audit' : undefined)),
    async leave({ condition, attempts, atMs, records }) {
      const timestamp = new Date(atMs).toISOString();
      const [day = '', time = ''] = timestamp.slice(0, 19).split('T');
      const Records = records.map((record) => ({
        eventID: `${record.shardId}:${record.sequenceNumber}`,
        kinesis: {
          sequenceNumber: record.sequenceNumber,
          partitionKey: record.partitionKey,
          data: Buffer.from(record.data).toString('base64'),
          approximateArrivalTimestamp: record.arrivalTimeMs / 1_000,
        },
      }));
      const document = {
        requestContext: {
          functionArn: FUNCTION_ARN + functionName,
          condition,
          approximateInvokeCount: attempts,
        },
        version: '1.0',
        timestamp,
        payload: JSON.stringify({ Records }),
      };
      const shard = records[0]!.shardId;
      const stamp = `${day}T${time.replaceAll(':', '.')}-${randomUUID()}`;
      const key = `aws/lambda/${mapping}/${shard}/${day.replaceAll('-', '/')}/${stamp}`;
      await bucket.put(key, JSON.stringify(document));
      return key;
    },
  };
}
