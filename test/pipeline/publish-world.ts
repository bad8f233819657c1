/** A world for publishers: a writer, and everything else that never gets in the way. */
import type { PublishWorld } from '#pipeline/publish';
import { testClock } from './poll-world.ts';

export function publishWorld(
  writer: PublishWorld['writer'],
  more: Partial<PublishWorld> = {},
): PublishWorld {
  return {
    writer,
    clock: testClock(),
    chance: () => 0.5,
    report: () => undefined,
    mayPut: async () => 'granted',
    ...more,
  };
}
