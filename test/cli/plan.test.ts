/** penstock plan as a user sees it. */
import { describe, expect, test } from 'vitest';
import { metricsOf } from '#adapters/telemetry/event-metrics';
import type { Io } from '#cli/io';
import { METRICS, ticksPerMonth } from '#cli/plan/month';
import { planPipeline } from '#cli/plan/plan-pipeline';
import { planJson, renderPlan } from '#cli/render/plan';
import type { PipelineInput } from '#config/pipeline-input';
import type { TelemetryEvent } from '#core/telemetry-event';
import { handlerInput, settingsOf, ticketsInput } from '#test/config/pipeline-input';
import { runRecorded } from './run-recorded.ts';

const ASK = { stage: 'dev', region: 'us-east-1', meanPercent: undefined };

function whole(over: Partial<PipelineInput> = {}, asked: Partial<Record<'region', string>> = {}) {
  const ask = { ...ASK, ...asked };
  return { ask, shared: [], pipelines: [planPipeline(settingsOf(ticketsInput(over)), ask)] };
}

const textOf = (...args: Parameters<typeof whole>) => renderPlan(whole(...args)).join('\n');

async function run(...argv: string[]) {
  return runIn({}, ...argv);
}

const runIn = (env: Io['env'], ...argv: readonly string[]) =>
  runRecorded(['plan', ...argv], { env });

describe('a plan', () => {
  test('names everything that a deployment makes', () => {
    const text = textOf();
    for (const name of [
      'penstock-dev-tickets-data, penstock-dev-tickets-run',
      'penstock-dev-tickets-board',
      'penstock-dev-tickets-refused-<account>-us-east-1',
      'penstock/dev/tickets-token',
      'penstock-dev-tickets-poll, penstock-dev-tickets-consume-board',
      '/aws/lambda/penstock-dev-tickets-poll',
      'each penstock-dev-tickets-…: poll-stale',
    ]) {
      expect(text).toContain(name);
    }
  });

  test('says how many shards there are, and which limit decides', () => {
    const text = textOf();
    expect(text).toContain(
      'Shards: 4, for 2,400 records/s of 900 bytes at the peak, times 1.5 of headroom, and 1 reader',
    );
    expect(text).toMatch(/records +█+░* +3\.6 of 4 shards.*← decides/);
    expect(text).toMatch(/bytes +█+░+ +3\.09 of 4 shards {2}3,240,000 bytes\/s.*1,048,576\n/);
    expect(text).toContain('A single meta.ticket_id can have 1,000 records/s');
  });

  test('CAPA-01: 50,000 small records a second ask for 50 shards before headroom', () => {
    const load = { recordsPerSecPeak: 50_000, recordBytesMean: 500, headroom: 1 };
    expect(textOf({ stream: { load } })).toContain('Shards: 50, for 50,000 records/s of 500 bytes');
  });

  test('calls what has no price or quantity unknown, and its total the least', () => {
    const text = textOf();
    expect(text).toMatch(/dashboard +1 +unknown/);
    expect(text).toMatch(/storage +not described +unknown/);
    expect(text).toMatch(/secret +1 secret +~\$0\.40/);
    expect(text).toMatch(/total: at least \$[\d,]+\.\d\d a month/);
    expect(text).toContain('Prices of 2026-08-15 in us-east-1');
  });

  test('has no total in a region without prices, and says where there are some', () => {
    const text = textOf({}, { region: 'eu-north-1' });
    expect(text).not.toContain('$');
    expect(text).toContain('total: unknown');
    expect(text).toMatch(
      /^No prices are known for eu-north-1: .*; --region us-east-1 shows those of us-east-1\.\n/,
    );
    expect(planJson(whole({}, { region: 'eu-north-1' })).pipelines[0]?.bill.usd).toBeNull();
  });

  test('of a handler alone has no table, and no writes but those of its checkpoints', () => {
    const text = textOf({ consumers: [handlerInput()] });
    expect(text).not.toMatch(/^ +tables +penstock-dev/m);
    expect(text).not.toContain('storage');
    expect(text).toMatch(/secrets +penstock\/dev\/tickets-token, penstock\/dev\/mail-token/);
    expect(text).toMatch(/secrets +2 secrets/);
    const units = (input: Partial<PipelineInput>) =>
      whole(input).pipelines[0]!.bill.lines.find(({ what }) => /^writes, (mail|board)$/.test(what))!
        .quantity!;
    expect(units({ consumers: [handlerInput()] })).toBeLessThan(units({}) / 10);
  });

  test('counts no shard on demand, and prices nothing that follows the load', () => {
    const text = textOf({ stream: { load: { onDemand: true } } });
    expect(text).toContain('Shards: on demand');
    expect(text).toMatch(/the stream +730 stream-hours +\$29\.20/);
    expect(text).toMatch(/written +not described +unknown/);
    expect(text).toMatch(/duration, board +not described +unknown/);
    expect(text).not.toContain('The stream alone');
  });
});

test('the command prices the peak unless a mean is given, and says which', async () => {
  const peak = await run('orders');
  expect(peak).toMatchObject({ code: 0, err: '' });
  expect(peak.out).toContain('at its peak all the time (1,500 records/s)');
  expect(peak.out).toContain('so the peak is priced');
  const mean = await run('orders', '--mean', '10');
  expect(mean.out).toContain('at 150 records/s on average');
  expect(mean.out).toContain('The mean load is 10 % of the peak.');
});

test('a program gets every number exactly, and null for what is unknown', async () => {
  const { out } = await run('orders', 'quakes', '--json', '--stage', 'prod');
  const plan = JSON.parse(out) as ReturnType<typeof planJson>;
  expect(plan).toMatchObject({ stage: 'prod', pricesOf: '2026-08-15', hoursPerMonth: 730 });
  expect(plan.pipelines.map(({ pipeline }) => pipeline)).toEqual(['orders', 'quakes']);
  const [orders] = plan.pipelines;
  expect(orders?.shards).toMatchObject({ shardCount: 2, boundBy: 'records', headroom: 1.25 });
  expect(orders?.bill.lines).toContainEqual(
    expect.objectContaining({ what: 'PUT payload units', quantity: 1_500 * 730 * 3_600 }),
  );
  expect(orders?.bill.lines).toContainEqual(
    expect.objectContaining({ what: 'dashboard', usd: null, pricedAt: null }),
  );
});

test.each(['0', '101', 'half'])('a mean of %s is a wrong command line', async (mean) => {
  expect(await run('--mean', mean)).toMatchObject({ code: 2, out: '' });
});

test.each([
  [{}, [], 'us-east-1'],
  [{ AWS_DEFAULT_REGION: 'eu-central-1' }, [], 'eu-central-1'],
  [{ AWS_DEFAULT_REGION: 'eu-central-1', AWS_REGION: 'eu-west-3' }, [], 'eu-west-3'],
  [{ AWS_REGION: '' }, [], 'us-east-1'],
  [{ AWS_REGION: 'eu-west-3' }, ['--region', 'us-gov-west-1'], 'us-gov-west-1'],
])('with %j and %j, the region is %3$s', async (env, argv, region) => {
  const { out } = await runIn(env, 'quakes', '--json', ...argv);
  expect(JSON.parse(out)).toMatchObject({ region });
});

test.each([
  [{}, ['--region', 'mars-1'], '--region'],
  [{ AWS_REGION: 'mars-1' }, [], 'AWS_REGION'],
  [{ AWS_DEFAULT_REGION: 'mars-1' }, [], 'AWS_DEFAULT_REGION'],
])('with %j and %j, what is no region is a wrong command line', async (env, argv, whence) => {
  expect(await runIn(env, 'quakes', ...argv)).toEqual({
    code: 2,
    out: '',
    err: `${whence} must be a region such as us-east-1, not 'mars-1'.\n`,
  });
});

test('a pipeline that is not there is one sentence', async () => {
  const { code, err } = await run('nothing');
  expect(code).toBe(2);
  expect(err).toContain("There is no pipeline 'nothing'");
});

test('ticks are counted by the schedule', () => {
  expect(ticksPerMonth({ everyMinutes: 5 })).toBe(8_760);
  expect(ticksPerMonth({ cron: '0 8 * * ? *', timeZone: 'UTC' })).toBeCloseTo(365 / 12);
});

test('as many metrics are priced as functions count', () => {
  const counted = (...events: TelemetryEvent[]) =>
    new Set(events.flatMap(metricsOf).map(({ name }) => name)).size;
  const tally = { records: 0, published: 0, refused: 0, durationMs: 0, pipeline: 'tickets' };
  const page = { skipped: 0, filtered: 0, publishedBytes: 0, requests: 0, resent: 0 };
  const sent = { accepted: 0, confirmed: 0, returned: 0 };
  const ended = { outcome: 'caught-up', detail: '', pages: 0, behindMs: 0, ...sent } as const;
  expect(
    counted(
      { event: 'PagePublished', ...tally, ...page },
      { event: 'PollEnded', ...tally, ...ended },
    ),
  ).toBe(METRICS.poll);
  expect(
    counted({
      event: 'BatchConsumed',
      pipeline: 'tickets',
      consumer: 'board',
      shardId: 'shardId-000000000000',
      passage: 'stream',
      received: 0,
      receivedBytes: 0,
      keys: 0,
      written: 0,
      stale: 0,
      folded: 0,
      refused: 0,
      returned: 0,
      held: false,
      outOfTime: false,
      iteratorAgeMs: 0,
      durationMs: 0,
    }),
  ).toBe(METRICS.consumer);
});
