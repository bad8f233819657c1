/** Options that say which objects of quarantine are meant. */
import type { Command } from 'commander';
import { UsageError } from '#cli/cli-error';
import { pickConsumer } from '#cli/load';
import { parseSince } from '#cli/read-from';
import type { PipelineSettings } from '#config/pipeline-settings';
import type { EntryFilter } from './entries.ts';

export interface FilterOptions {
  readonly consumer?: string;
  readonly reason?: string;
  readonly key?: string;
  readonly since?: string;
  readonly until?: string;
}

export function withFilter(command: Command): Command {
  return command
    .option('--reason <reason>', 'only what was refused for it, such as not-json or given-up')
    .option('--key <key>', 'only records of this key, or partition key')
    .option(
      '--since <time>',
      'only what arrived from then on: a span such as 2h, or an ISO 8601 time',
    )
    .option('--until <time>', 'only what arrived before then');
}

/** @throws {UsageError} on a consumer that there is not, or a time that is none. */
export function filterOf(
  pipeline: PipelineSettings,
  { consumer, reason, key, since, until }: FilterOptions,
  nowMs: number,
): EntryFilter {
  if (consumer !== undefined && consumer !== 'poll') pickConsumer(pipeline, consumer);
  const sinceMs = since === undefined ? undefined : parseSince(since, nowMs);
  const untilMs = until === undefined ? undefined : parseSince(until, nowMs, '--until');
  if (sinceMs !== undefined && untilMs !== undefined && untilMs <= sinceMs) {
    throw new UsageError('--until is not after --since: nothing can be between.');
  }
  return { by: consumer, reason, key, sinceMs, untilMs };
}
