/** Every alarm rings for the fault that it is for, and for no other. */
import { describe, expect, test } from 'vitest';
import { createAlarms } from '#local/alarms/alarms';
import { createMetricStore } from '#local/metrics/metric-store';
import { steppedClock } from '#local/kit/stepped-clock';
import { bringAbout, isResting } from './alarms-bring-about.ts';
import { FAULTS, SLOW_FAULTS } from './alarms-faults.ts';
import { openWorld, runResources, ticketsOfFile } from './alarms-world.ts';
import { namesOf, sourceRows, tableRows } from './tickets-app.ts';
import { fill } from './tickets-source.ts';

describe('alarms', () => {
  const app = ticketsOfFile();

  test('none rings while everything goes well, with much to do and with nothing', async () => {
    const world = await openWorld(app());
    await world.rest(isResting);
    for (let minute = 0; minute < 30; minute++) {
      if (minute < 15) fill(world.source, minute * 40, 40);
      await world.minute(isResting);
    }
    expect(await tableRows({ ...app(), ...world })).toEqual(sourceRows(world.source));
    expect([...world.rung]).toEqual([]);
    expect(world.defects).toEqual([]);
    const states = new Set(world.cloud.alarms().map(({ state }) => state));
    expect([...states]).toEqual(['OK']);
    const page = await fetch(`${world.cloud.endpoint}/_penstock/alarms`);
    expect(await page.json()).toEqual(world.cloud.alarms());
  });

  test.each(FAULTS.map((fault) => [fault.title, fault] as const))('%s', async (_, fault) => {
    const world = await bringAbout(fault, app());
    expect(world.ringing().toSorted()).toEqual([...fault.rings].toSorted());
    expect([...world.rung].toSorted()).toEqual([...fault.rings].toSorted());
  });

  /** A shard filled for a quarter of an hour would be 720 MB: these are given its numbers. */
  test.each(FULL)('a stream nearly full of $what rings $id', async ({ id, name, perMinute }) => {
    const { stream } = namesOf(app());
    const resources = Object.values(await runResources(app().cdkOut));
    const found = resources.find(({ Properties }) => Properties['AlarmName'] === `${stream}-${id}`);
    const clock = steppedClock(Date.parse('2026-07-06T05:04:00Z'));
    const store = createMetricStore(clock);
    const alarms = createAlarms({ clock, store, onChange: () => undefined });
    alarms.add(found?.Properties ?? {});
    alarms.start();
    const states: string[] = [];
    const dimensions = { StreamName: stream };
    for (const share of [0.79, 0.81]) {
      for (let minute = 0; minute < 20; minute++) {
        store.measure({ namespace: 'AWS/Kinesis', name, dimensions, value: share * perMinute });
        await clock.step(60_000);
      }
      states.push(alarms.list()[0]?.state ?? '');
    }
    expect(states).toEqual(['OK', 'ALARM']);
  });

  test('of every alarm it is shown that it rings', async () => {
    const prefix = `${namesOf(app()).stream}-`;
    const ids = Object.values(await runResources(app().cdkOut))
      .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
      .map(({ Properties }) => String(Properties['AlarmName']).slice(prefix.length));
    const shown = new Set([
      ...[...FAULTS, ...SLOW_FAULTS].flatMap(({ rings }) => rings),
      ...FULL.map(({ id }) => id),
    ]);
    expect([...shown].toSorted()).toEqual(ids.toSorted());
  });
});

/** Of one shard. @source Kinesis quotas, 2026: 1,000 records and 1 MiB a second. */
const FULL = [
  { what: 'records', id: 'records-near-limit', name: 'IncomingRecords', perMinute: 60_000 },
  { what: 'bytes', id: 'bytes-near-limit', name: 'IncomingBytes', perMinute: 60 * 2 ** 20 },
] as const;
