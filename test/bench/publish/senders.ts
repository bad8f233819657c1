/** Ways to bring records to an endpoint: ours, the bare loop, and loops as people write them. */
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { PutRecordsRequestEntry } from '@aws-sdk/client-kinesis';
import { clientOptions } from '#adapters/aws/client-options';
import { kinesisStreamWriter } from '#adapters/kinesis/stream-writer';
import { systemClock as clock } from '#adapters/system/clock';
import { publish } from '#pipeline/publish';
import type { SizedRecord } from '#pipeline/publish';

export const STREAM = 'bench';
export const REQUEST_RECORDS = 500;

/** What a run took, where another process ran it. */
export interface Spent {
  readonly tookMs: number;
  readonly cpuUs: number;
}

export interface Sender {
  readonly name: string;
  /** Prepares outside of the clock; what it returns is timed. */
  prepare(
    endpoint: string,
    records: Iterable<SizedRecord>,
  ): { run(): Promise<Spent | void>; close(): void };
}

export function benchClient(endpoint: string, concurrency: number): KinesisClient {
  return new KinesisClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
    ...clientOptions({ requestTimeoutMs: 30_000, concurrency }),
  });
}

export function ours(requestsInFlight: number): Sender {
  return {
    name: `Penstock, ${requestsInFlight} in flight`,
    prepare(endpoint, records) {
      const kinesis = benchClient(endpoint, requestsInFlight);
      const world = {
        writer: kinesisStreamWriter(kinesis, STREAM),
        clock,
        chance: Math.random,
        report: () => undefined,
        mayPut: async () => 'granted' as const,
      };
      return {
        async run() {
          const { kind } = await publish(records, { pipeline: 'bench', requestsInFlight }, world);
          if (kind !== 'published') throw new Error(kind);
        },
        close: () => kinesis.destroy(),
      };
    },
  };
}

const entriesOf = (records: Iterable<SizedRecord>): PutRecordsRequestEntry[] =>
  Array.from(records, ({ record }) => ({ PartitionKey: record.partitionKey, Data: record.data }));

function requestsOf(records: Iterable<SizedRecord>): readonly PutRecordsRequestEntry[][] {
  const entries = entriesOf(records);
  const requests: PutRecordsRequestEntry[][] = [];
  for (let at = 0; at < entries.length; at += REQUEST_RECORDS) {
    requests.push(entries.slice(at, at + REQUEST_RECORDS));
  }
  return requests;
}

/** The floor: requests made beforehand, their answers not looked at. */
export function bare(requestsInFlight: number): Sender {
  return {
    name: `bare SDK loop, ${requestsInFlight} in flight`,
    prepare(endpoint, records) {
      const kinesis = benchClient(endpoint, requestsInFlight);
      const requests = requestsOf(records);
      return {
        async run() {
          let next = 0;
          const worker = async (): Promise<void> => {
            for (
              let Records = requests[next++];
              Records !== undefined;
              Records = requests[next++]
            ) {
              await kinesis.send(new PutRecordsCommand({ StreamName: STREAM, Records }));
            }
          };
          await Promise.all(Array.from({ length: requestsInFlight }, worker));
        },
        close: () => kinesis.destroy(),
      };
    },
  };
}

/** Each request until nothing of it failed, a pause before each repeat: strict, and slow. */
export const inPlace: Sender = {
  name: 'retry in place, with pauses',
  prepare(endpoint, records) {
    const kinesis = benchClient(endpoint, 1);
    return {
      async run() {
        for (const request of requestsOf(records)) {
          let left = request;
          for (let attempt = 0; left.length > 0; attempt++) {
            if (attempt > 0) await setTimeout(50 * 2 ** Math.min(attempt - 1, 5));
            left = await failedOf(kinesis, left);
          }
        }
      },
      close: () => kinesis.destroy(),
    };
  },
};

/** What failed goes to the end of the line: fast, and out of order. */
export const atTheEnd: Sender = {
  name: 'resend at the end',
  prepare(endpoint, records) {
    const kinesis = benchClient(endpoint, 1);
    return {
      async run() {
        const line = entriesOf(records);
        while (line.length > 0)
          line.push(...(await failedOf(kinesis, line.splice(0, REQUEST_RECORDS))));
      },
      close: () => kinesis.destroy(),
    };
  },
};

/** The npm producer that others use. @source lifion-kinesis 1.3.3, putRecords. */
export const lifion: Sender = {
  name: 'lifion-kinesis 1.3.3',
  prepare(endpoint, records) {
    // Without types of its own.
    const Lifion = createRequire(import.meta.url)('lifion-kinesis') as new (options: object) => {
      putRecords(ask: { records: readonly object[] }): Promise<unknown>;
    };
    const kinesis = new Lifion({
      endpoint,
      region: 'us-east-1',
      accessKeyId: 'bench',
      secretAccessKey: 'bench',
      streamName: STREAM,
      createStreamIfNeeded: false,
    });
    const decoder = new TextDecoder();
    const requests = requestsOf(records).map((entries) =>
      entries.map(({ PartitionKey, Data }) => ({
        partitionKey: PartitionKey,
        data: decoder.decode(Data),
      })),
    );
    return {
      async run() {
        for (const request of requests) await kinesis.putRecords({ records: request });
      },
      close: () => undefined,
    };
  },
};

async function failedOf(
  kinesis: KinesisClient,
  Records: PutRecordsRequestEntry[],
): Promise<PutRecordsRequestEntry[]> {
  const { Records: answers = [] } = await kinesis.send(
    new PutRecordsCommand({ StreamName: STREAM, Records }),
  );
  return Records.filter((_, at) => answers[at]?.ErrorCode !== undefined);
}
