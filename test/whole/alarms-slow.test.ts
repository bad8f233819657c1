/** Alarms of what takes its time: a poll and a batch that come near their timeouts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bringAbout, isResting } from './alarms-bring-about.ts';
import { SLOW_FAULTS } from './alarms-faults.ts';
import { openWorld, synthesizeTickets } from './alarms-world.ts';
import type { SynthesizedTickets } from './alarms-world.ts';

// LocalStack evaluates no alarms that its minutes could be made to pass for.
describe('alarms', () => {
  let app: SynthesizedTickets;
  const removals: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    app = await synthesizeTickets((remove) => removals.push(remove));
  });
  afterAll(async () => {
    for (const remove of removals) await remove();
  });

  test('none rings for a poll that catches up for as long as it may', async () => {
    const world = await openWorld(app, { rows: 1_200, lateMs: 400 });
    await world.rest(isResting);
    await world.minute(() => true);
    await world.minute(() => true);
    // Of ten seconds, less the seven that one more page might take.
    expect(world.pollsMs[0]).toBeGreaterThan(2_600);
    expect([...world.rung]).toEqual([]);
  });

  test.each(SLOW_FAULTS.map((fault) => [fault.title, fault] as const))('%s', async (_, fault) => {
    const world = await bringAbout(fault, app);
    expect(world.ringing().toSorted()).toEqual([...fault.rings].toSorted());
    expect([...world.rung].toSorted()).toEqual([...fault.rings].toSorted());
  });
});
