import { GetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KinesisClient, ListShardsCommand } from '@aws-sdk/client-kinesis';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Cloud } from '#local/cloud';
import type { CloudEvent } from '#local/cloud-event';
import type { CloudOptions } from '#local/cloud-options';
import type { Fault } from '#local/faults/fault';
import { pipelineTemplate, START_MS, startPipeline } from '#test/local/kit/small-pipeline';

const MINUTE_MS = 60_000;

async function start(options: Partial<CloudOptions> = {}) {
  const run = await startPipeline(options);
  onTestFinished(() => run.cloud.stop());
  return run;
}

const said = (trace: readonly string[], what: string) =>
  trace.filter((line) => line.startsWith(what)).map((line) => JSON.parse(line.slice(what.length)));

const FAULTS: readonly Fault[] = [
  { kind: 'throttle-entries', stream: 'river', share: 0.2, times: 12 },
  { kind: 'cut-after', service: 'dynamodb', operation: 'PutItem', share: 0.1 },
  { kind: 'error-before', service: 'kinesis', share: 0.2 },
  { kind: 'delay', service: 'dynamodb', operation: 'PutItem', delayMs: 700, share: 0.1 },
  { kind: 'kill-function', function: 'consume', intoMs: 0, times: 1, afterMs: 5 * MINUTE_MS },
];

describe('time', () => {
  test('an hour of a schedule of minutes is sixty ticks, and what they published is in the table', async () => {
    const { cloud, trace, rows } = await start();
    await cloud.step(60 * MINUTE_MS - 1);
    expect(said(trace, 'ticked')).toHaveLength(60);
    await cloud.untilIdle();
    expect(await rows()).toHaveLength(180);
  });

  test('stands still between two steps, in handlers too', async () => {
    const { cloud, trace } = await start();
    await cloud.settle();
    await cloud.step(MINUTE_MS);
    expect(said(trace, 'ticked').map(({ at }) => at)).toEqual([START_MS, START_MS + MINUTE_MS]);
  });

  test('that a handler waits for is the cloud’s', async () => {
    let ended = 0;
    const { cloud } = await start({
      handlers: {
        poll: async () => {
          await new Promise((resolve) => setTimeout(resolve, 2_000));
          ended += 1;
        },
      },
    });
    await cloud.step(1_999);
    expect([ended, cloud.isIdle()]).toEqual([0, false]);
    await cloud.step(1);
    expect([ended, cloud.isIdle()]).toEqual([1, true]);
  });
});

describe('a seed', () => {
  const hashOf = async (seed: number) => {
    const run = await startPipeline({ seed, faults: FAULTS });
    await run.cloud.step(8 * MINUTE_MS);
    await run.cloud.untilIdle();
    const [rows, hits] = [await run.rows(), run.cloud.faults.list().map((fault) => fault.hits)];
    await run.cloud.stop();
    return { hash: run.hash(), rows: rows.length, hits };
  };

  test('that is the same makes every event, request and answer the same, faults included', async () => {
    const [first, again] = [await hashOf(23), await hashOf(23)];
    expect(again).toEqual(first);
    expect(first.hits.every((hits) => hits > 0)).toBe(true);
    expect(first.rows).toBeGreaterThan(20);
  });

  test('that is another makes another run', async () => {
    expect((await hashOf(24)).hash).not.toBe((await hashOf(23)).hash);
  });
});

describe('a shard', () => {
  const shardsOf = async ({ client }: Cloud) => {
    const { Shards = [] } = await new KinesisClient(client).send(
      new ListShardsCommand({ StreamName: 'river' }),
    );
    return Shards.map(({ SequenceNumberRange }) => SequenceNumberRange?.EndingSequenceNumber);
  };

  test('is split, and merged, at its moment', async () => {
    const { cloud } = await start({ faults: [{ kind: 'split-shard', afterMs: 50 }] });
    await cloud.step(49);
    expect(await shardsOf(cloud)).toEqual([undefined, undefined]);
    await cloud.step(20_000);
    expect((await shardsOf(cloud)).filter((end) => end === undefined)).toHaveLength(3);
    cloud.faults.add({ kind: 'merge-shards', stream: 'river' });
    await cloud.step(20_000);
    expect((await shardsOf(cloud)).filter((end) => end === undefined)).toHaveLength(2);
    expect(cloud.faults.list().map(({ hits, failure }) => [hits, failure])).toEqual([
      [1, undefined],
      [1, undefined],
    ]);
  });

  test('that is not there is told', async () => {
    const { cloud } = await start();
    cloud.faults.add({ kind: 'split-shard', shard: 'shardId-000000000009' });
    await cloud.step(10);
    expect(cloud.faults.list()).toMatchObject([
      { hits: 0, failure: 'Stream river has no open shard shardId-000000000009.' },
    ]);
  });
});

describe('a handler in this process', () => {
  const invoke = async (
    handler: () => unknown,
    options: Partial<CloudOptions> = {},
    stepMs = 0,
  ) => {
    const events: CloudEvent[] = [];
    const { cloud } = await start({
      ...options,
      template: withoutSchedule(),
      onEvent: (event) => void events.push(event),
      handlers: { poll: handler },
    });
    const result = cloud.invoke('poll', '{"a":1}');
    await cloud.settle();
    await cloud.step(stepMs);
    return { result: await result, events, cloud };
  };

  test('finds the variables that its process would', async () => {
    const { result } = await invoke(() => [
      process.env['STREAM'],
      process.env['AWS_LAMBDA_FUNCTION_NAME'],
      process.env['HOME'],
    ]);
    expect(result).toMatchObject({ kind: 'ok', payload: '["river","poll",null]' });
    expect(process.env['STREAM']).toBeUndefined();
  });

  test('acts as its role, and is refused what that does not allow', async () => {
    let cloud: Cloud | undefined;
    const handler = async () => {
      const options = { method: 'PUT', body: 'x', headers: signedBy(process.env) };
      const { status } = await fetch(`${process.env['AWS_ENDPOINT_URL']}/box/key`, options);
      const client = new DynamoDBClient({ requestHandler: cloud!.requestHandler, maxAttempts: 1 });
      await client.send(new GetItemCommand({ TableName: 'rows', Key: { id: { S: 'x' } } }));
      return status;
    };
    ({ cloud } = await start({ template: withoutSchedule(), handlers: { poll: handler } }));
    expect(await cloud.invoke('poll', '{}')).toMatchObject({ kind: 'ok', payload: '403' });
    expect(cloud.calls().flatMap(({ refused }) => refused)).toMatchObject([
      { action: 's3:PutObject' },
    ]);
  });

  test('that throws is an error as Lambda shapes it', async () => {
    const { result, events } = await invoke(() => {
      throw new RangeError('too far');
    });
    expect(result).toMatchObject({ kind: 'error', errorType: 'RangeError' });
    const payload = JSON.parse(result.kind === 'error' ? result.payload : '') as object;
    expect(payload).toMatchObject({ errorType: 'RangeError', errorMessage: 'too far' });
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'invocation', outcome: 'error', errorType: 'RangeError' }),
    );
  });

  test('that is too slow times out by the cloud’s clock', async () => {
    const { result } = await invoke(() => new Promise((go) => setTimeout(go, 60_000)), {}, 20_000);
    expect(result).toMatchObject({
      errorType: 'Sandbox.Timedout',
      payload: expect.stringContaining('Task timed out after 20.00 seconds'),
    });
  });

  test('writes lines that are its logs', async () => {
    const { events } = await invoke(() => {
      console.log('%s and %j', 'one', { two: 2 });
      process.stdout.write('three\n');
    });
    const lines = events.flatMap((event) => (event.kind === 'log' ? [event.line] : []));
    expect(lines).toEqual(['one and {"two":2}', 'three']);
  });

  test('runs as often at once as is reserved, and no more', async () => {
    const slow = () => new Promise((go) => setTimeout(go, 500, 'done'));
    const { cloud } = await start({ template: withoutSchedule(), handlers: { poll: slow } });
    const both = Promise.all([cloud.invoke('poll', '{}'), cloud.invoke('poll', '{}')]);
    await cloud.step(500);
    expect((await both).map(({ kind }) => kind)).toEqual(['ok', 'throttled']);
  });

  test('is killed, frozen and misled about the time, when a fault says so', async () => {
    const answers = [];
    for (const fault of [
      { kind: 'kill-function', function: 'poll', intoMs: 40 },
      { kind: 'freeze-function', function: 'poll', intoMs: 40 },
      { kind: 'skew-clock', function: 'poll', skewMs: -90_000 },
    ] satisfies Fault[]) {
      const handler = () => new Promise((go) => setTimeout(() => go(Date.now() - START_MS), 50));
      const { result } = await invoke(handler, { faults: [fault] }, 20_000);
      answers.push(
        result.kind === 'error' ? result.errorType : result.kind === 'ok' && result.payload,
      );
    }
    expect(answers).toEqual(['Runtime.ExitError', 'Sandbox.Timedout', '-89950']);
  });

  test('that was killed does nothing more', async () => {
    let steps = 0;
    const handler = async () => {
      for (; steps < 100; steps++) await new Promise((go) => setTimeout(go, 10));
    };
    const faults: Fault[] = [{ kind: 'kill-function', intoMs: 35 }];
    await invoke(handler, { faults }, 5_000);
    expect(steps).toBe(3);
  });

  test('that was killed while a request of it was on its way makes no other', async () => {
    let answered = 0;
    const handler = async () => {
      for (let n = 0; n < 3; n++) {
        await fetch(`${process.env['AWS_ENDPOINT_URL']}/nowhere/${n}`);
        answered += 1;
      }
    };
    const faults: Fault[] = [
      { kind: 'delay', service: 's3', delayMs: 100 },
      { kind: 'kill-function', intoMs: 150 },
    ];
    const { cloud } = await invoke(handler, { faults }, 5_000);
    expect([answered, cloud.faults.list()[0]?.hits]).toEqual([1, 2]);
  });
});

test('a cloud that has stopped leaves the language as it was', async () => {
  const before = [Date, setTimeout, fetch, Math.random, process.stdout.write];
  const { cloud } = await startPipeline();
  expect(Date).not.toBe(before[0]);
  await cloud.stop();
  expect([Date, setTimeout, fetch, Math.random, process.stdout.write]).toEqual(before);
});

test('a function without a handler, in a cloud without a port, is told with what it needs', async () => {
  const template = pipelineTemplate();
  const { Resources } = template as { Resources: Record<string, { Properties: object }> };
  const Other = {
    Type: 'AWS::Lambda::Function',
    Properties: { ...Resources['Poll']?.Properties, FunctionName: 'other', Code: { ZipFile: '' } },
  };
  await expect(startPipeline({ template: { Resources: { ...Resources, Other } } })).rejects.toThrow(
    /Other .*handlers\['other'\] is missing/,
  );
});

/** As a signature says whose key it is made with: the cloud looks no further. */
function signedBy({ AWS_ACCESS_KEY_ID }: Readonly<Record<string, string | undefined>>) {
  return { authorization: `AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/x, Signature=x` };
}

function withoutSchedule(): object {
  const { Resources } = pipelineTemplate() as { Resources: Record<string, object> };
  const { Schedule: _, ...others } = Resources;
  return { Resources: others };
}
