import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import { systemChance } from '#adapters/system/chance';
import { systemClock as clock } from '#adapters/system/clock';
import { contentDigest as digest } from '#adapters/system/content-digest';
import type { PollWorld } from '#pipeline/poll-options';

/** What a poller has beside its source and its stream, in memory; it says nothing, and has fifteen minutes. */
export function pollerMemory(): Omit<PollWorld, 'source' | 'writer'> {
  return {
    states: memoryPollStateStore(),
    checkpoints: memoryCheckpointStore(),
    quarantine: memoryQuarantine(),
    clock,
    chance: systemChance,
    digest,
    report: () => undefined,
    remainingMs: () => 900_000,
  };
}
