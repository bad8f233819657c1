/** Brings a fault about, and lets minutes pass in it. */
import type { Fault } from './alarms-faults.ts';
import { openWorld } from './alarms-world.ts';
import type { SynthesizedTickets, World } from './alarms-world.ts';

export const isResting = ({ cloud, isPolled }: World): boolean => isPolled() && cloud.isIdle();

/** Until all alarms ring that are to, or the last minute is over. */
export async function bringAbout(fault: Fault, app: SynthesizedTickets): Promise<World> {
  const {
    edit,
    everyMinute,
    isDone = isResting,
    ...more
  } = { ...fault, ...(await fault.open?.()) };
  let minute = 0;
  const world = await openWorld(app, {
    ...(edit === undefined ? {} : { edit }),
    ...(more.token === undefined ? {} : { token: more.token }),
    ...(more.faults === undefined ? {} : { faults: more.faults(() => minute) }),
  });
  const areAllRinging = (): boolean => fault.rings.every((id) => world.ringing().includes(id));
  more.onStart?.(world);
  await world.rest((one) => isDone(one, minute));
  for (; minute < fault.withinMinutes && !areAllRinging(); minute++) {
    await everyMinute?.(world, minute);
    await world.minute((one) => isDone(one, minute));
  }
  return world;
}
