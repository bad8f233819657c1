import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#core/record/json';
import { poll } from '#pipeline/poll';
import {
  incremental,
  options,
  page,
  published,
  row,
  savedCursor,
  testWorld,
} from './poll-world.ts';

const TIME = '2031-06-12T15:59:30Z';

function deep(levels: number): JsonValue {
  let nested: JsonValue = 7;
  for (let level = 0; level < levels; level++) nested = [nested];
  return nested;
}

test('a record that nests too deep rests in quarantine as it came, and its neighbour goes on', async () => {
  const world = testWorld([page([row('1', TIME, { deep: deep(20_000) }), row('2', TIME)])]);
  expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', published: 1, refused: 1 });
  expect(published(world).map(({ subject }) => subject)).toEqual(['2']);
  const [refused] = world.quarantined;
  expect(refused?.reason).toBe('nested-too-deep');
  expect(refused?.payload.byteLength).toBeGreaterThan(40_000);
});

describe('a deletion that changes nothing but its mark', () => {
  const rules = {
    ...options.rules,
    deleted: ['gone'],
    map: ({ order_id = null, updated_at = null }) => ({ order_id, updated_at }),
  };
  const alive = row('1', TIME, { gone: null });
  const dead = row('1', TIME, { gone: TIME });

  test.each([
    ['delete', [alive, dead], ['orders.upsert', 'orders.delete']],
    ['return', [dead, alive], ['orders.delete', 'orders.upsert']],
  ] as const)('is an event of its own: %s', async (_name, states, types) => {
    const world = testWorld(states.map((state) => page([state])));
    for (const _state of states) await poll({ ...options, rules }, world);
    expect(published(world).map(({ type }) => type)).toEqual(types);
  });

  test('is seen before a map can hide it', async () => {
    const map = (record: Record<string, JsonValue>) => {
      delete record['gone'];
      return record;
    };
    const world = testWorld([page([{ ...dead }])]);
    await poll({ ...options, rules: { ...rules, map } }, world);
    expect(published(world).map(({ type }) => type)).toEqual(['orders.delete']);
  });
});

test('a parameter that the file fixes, which may be a credential, is asked for and never stored', async () => {
  const source = { ...options.source, fixed: { api_key: 'k-secret' } };
  const rows = [row('1', TIME)];
  const parked = { kind: 'wait', status: 429, waitMs: 3_600_000 } as const;
  const world = testWorld([page(rows, 't1'), parked]);
  await poll({ ...options, source }, world);
  expect(world.asked[0]).toMatchObject({ api_key: 'k-secret' });
  const { cursor } = await savedCursor(world);
  expect(cursor).toContain('t1');
  expect(cursor).not.toContain('k-secret');
});

test('a run in which no record holds the incremental field says so, and publishes all the same', async () => {
  const path = ['modified_at'];
  const source = { ...options.source, incremental: { ...incremental, path } };
  const rows = [row('1', TIME), row('2', TIME)];
  const world = testWorld([page(rows.slice(0, 1), 't1'), page(rows.slice(1))]);
  expect(await poll({ ...options, source }, world)).toMatchObject({
    kind: 'failed',
    published: 2,
    detail: 'no record holds a readable time at `modified_at`: every run reads them all again',
  });
});
