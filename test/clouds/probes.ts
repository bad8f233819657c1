/** Streams and mappings in whichever cloud a test is given, and what the function behind them saw. */
import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { afterAll } from 'vitest';
import { connect } from '#cli/connection';
import type { Connection } from '#cli/connection';
import { listQuarantine } from '#cli/quarantine-reader';
import { PROJECT_ROOT } from '#cli/project';
import { startCloud } from '#local/cloud';
import { deploy } from '#localstack/cdk';
import { newStage, scratch } from './app.ts';
import type { Cloud } from './cloud.ts';
import { endFunctions } from './end-functions.ts';
import { bucketName, streamName, synthesizeProbes } from './probe-app.ts';
import type { Probed } from './probe-app.ts';
import { openProbeServer } from './probe-server.ts';
import type { Behaviour, GivenRecord, Invocation } from './probe-server.ts';

export interface ProbeAsk {
  readonly probed: Probed;
  readonly mayRead?: boolean;
}

export interface Probes {
  readonly endpoint: string;
  readonly connection: Connection;
  readonly functionName: string;
  stream(name: string): string;
  /** Answers what the function is given from now on of one stream; it grows. */
  watch(name: string, behaviour?: Behaviour): readonly Invocation[];
  /** In one request. */
  put(name: string, ...records: readonly Put[]): Promise<void>;
  /** What was given up of a stream. */
  givenUp(name: string): Promise<readonly GivenUp[]>;
  close(): Promise<void>;
}

/** A record: its text, which is its key too unless one is given. */
export type Put = string | { readonly key: string; readonly text: string };

/** What an on-failure destination receives. */
export interface GivenUp {
  readonly requestContext: {
    readonly condition: string;
    readonly approximateInvokeCount: number;
  };
  readonly KinesisBatchInfo: {
    readonly streamArn: string;
    readonly batchSize: number;
    readonly startSequenceNumber: string;
    readonly endSequenceNumber: string;
  };
  /** As it is, or as its text. */
  readonly payload: string | { readonly Records: readonly GivenRecord[] };
}

/**
 * The apps of a file's tests, all deployed side by side when a test first asks for one, and closed
 * after the last. An app that the cloud refuses rejects when it is asked for.
 */
export function probeApps<Name extends string>(
  apps: Readonly<Record<Name, ProbeAsk>>,
): (cloud: Cloud, name: Name) => Promise<Probes> {
  let opened: Readonly<Record<Name, Promise<Probes>>> | undefined;
  afterAll(async () => {
    for (const one of Object.values<Promise<Probes>>(opened ?? {})) {
      await one.then(
        ({ close }) => close(),
        () => undefined,
      );
    }
  });
  return (cloud, name) => {
    opened ??= openAll(cloud, apps);
    return opened[name];
  };
}

function openAll<Name extends string>(
  cloud: Cloud,
  apps: Readonly<Record<Name, ProbeAsk>>,
): Readonly<Record<Name, Promise<Probes>>> {
  const opened = Object.entries<ProbeAsk>(apps).map(([name, ask]) => {
    const probes = openProbes(cloud, ask);
    probes.catch(() => undefined); // Told to whoever asks for it.
    return [name, probes];
  });
  return Object.fromEntries(opened) as Record<Name, Promise<Probes>>;
}

async function openProbes(cloud: Cloud, ask: ProbeAsk): Promise<Probes> {
  const closers: (() => Promise<void> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    const server = await openProbeServer();
    closers.push(server.close);
    const stage = newStage();
    const url = await cloud.reach(server.url);
    const directory = await scratch((remove) => closers.push(remove));
    const cdkOut = synthesizeProbes(directory, { stage, url, mayRead: true, ...ask });
    const endpoint = await run(cloud, cdkOut, closers);
    // Busy with other tests it answers late.
    const connection = connect(endpoint, {}, { timeoutMs: 60_000 });
    closers.push(connection.close);
    if (cloud.endpoint !== undefined) {
      const lambda = await connection.signed('lambda');
      closers.push(() => endFunctions(lambda, [`probe-${stage}`]));
    }
    const stream = (name: string) => streamName(stage, name);
    return {
      endpoint,
      connection,
      functionName: `probe-${stage}`,
      stream,
      watch(name, behaviour = () => undefined) {
        const seen: Invocation[] = [];
        server.behaviours.set(stream(name), (invocation) => {
          seen.push(invocation);
          return behaviour(invocation);
        });
        return seen;
      },
      put: (name, ...records) => put(connection, stream(name), records),
      async givenUp(name) {
        const all = await documents(connection, bucketName(stage));
        return all.filter((document) =>
          document.KinesisBatchInfo.streamArn.endsWith(`/${stream(name)}`),
        );
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Answers the endpoint. */
async function run(
  { endpoint }: Cloud,
  cdkOut: string,
  closers: (() => Promise<void> | void)[],
): Promise<string> {
  if (endpoint !== undefined) {
    await deploy(cdkOut, { endpoint, env: process.env, cwd: PROJECT_ROOT });
    return endpoint;
  }
  const running = await startCloud({ cdkOut, parameters: {} });
  closers.push(() => running.stop(0));
  return running.endpoint;
}

async function put({ kinesis }: Connection, StreamName: string, records: readonly Put[]) {
  const Records = records.map((record) => {
    const { key, text } = typeof record === 'string' ? { key: record, text: record } : record;
    return { PartitionKey: key, Data: Buffer.from(text) };
  });
  const answer = await kinesis.send(new PutRecordsCommand({ StreamName, Records }));
  if (answer.FailedRecordCount !== 0) throw new Error(JSON.stringify(answer.Records));
}

async function documents(connection: Connection, bucket: string): Promise<readonly GivenUp[]> {
  const send = await connection.signed('s3');
  const keys = await listQuarantine(send, bucket);
  return Promise.all(
    keys.map(async (key) => {
      const path = `/${bucket}/${encodeURI(key)}`;
      const answer = await send({ method: 'GET', path, timeoutMs: 30_000 });
      return (await answer.json()) as GivenUp;
    }),
  );
}

/** The records of what was given up. */
export function recordsOf({ payload }: GivenUp): readonly GivenRecord[] {
  const whole = typeof payload === 'string' ? (JSON.parse(payload) as typeof payload) : payload;
  return typeof whole === 'string' ? [] : whole.Records;
}

/** Change properties of a stream's mapping, through Lambda's own API. */
export async function changeMapping(
  { connection, functionName, stream }: Probes,
  name: string,
  change: object,
): Promise<void> {
  const send = await connection.signed('lambda');
  const base = '/2015-03-31/event-source-mappings/';
  const ask = async (method: string, path: string, body?: string): Promise<unknown> => {
    const answer = await send({ method, path, timeoutMs: 30_000, ...(body ? { body } : {}) });
    if (answer.ok) return answer.json();
    throw new Error(`${method} of event source mappings answers ${answer.status}`);
  };
  const { EventSourceMappings } = (await ask('GET', `${base}?FunctionName=${functionName}`)) as {
    readonly EventSourceMappings: readonly {
      readonly UUID: string;
      readonly EventSourceArn: string;
    }[];
  };
  const mapping = EventSourceMappings.find(({ EventSourceArn }) =>
    EventSourceArn.endsWith(`/${stream(name)}`),
  );
  await ask('PUT', `${base}${mapping?.UUID}`, JSON.stringify(change));
}
