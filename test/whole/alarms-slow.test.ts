/** Alarms of what takes its time: a poll and a batch that come near their timeouts. */
import { describe, expect, test } from 'vitest';
import { bringAbout, isResting } from './alarms-bring-about.ts';
import { SLOW_CONSUMER, SLOW_FAULTS } from './alarms-faults.ts';
import { openWorld, ticketsOfFile } from './alarms-world.ts';

describe('alarms', () => {
  const app = ticketsOfFile(SLOW_CONSUMER);

  test('none rings for a poll that catches up for as long as it may', async () => {
    const world = await openWorld(app(), { rows: 1_200, lateMs: 400 });
    await world.rest(isResting);
    await world.minute(() => true);
    await world.minute(() => true);
    // Of ten seconds, less the seven that one more page might take.
    expect(world.pollsMs[0]).toBeGreaterThan(2_600);
    expect([...world.rung]).toEqual([]);
  });

  test.each(SLOW_FAULTS.map((fault) => [fault.title, fault] as const))('%s', async (_, fault) => {
    const world = await bringAbout(fault, app());
    expect(world.ringing().toSorted()).toEqual([...fault.rings].toSorted());
    expect([...world.rung].toSorted()).toEqual([...fault.rings].toSorted());
  });
});
