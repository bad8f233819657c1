/** What is said of a backfill that is not over: who works at it, and which command goes on with it. */
import { CliError } from '#cli/cli-error';
import { PIPELINES_DIRECTORY } from '#cli/project';
import { iso } from '#cli/render/text';
import { cloudWords } from '#cli/typed-words';
import { LEASE_MS } from '#pipeline/hold-job';
import type { JobFound } from '#pipeline/hold-job';
import type { HeldJob } from '#ports/held-job';
import { backfillCommand } from './backfill-ask.ts';
import type { BackfillWords } from './backfill-ask.ts';
import type { BackfillOptions } from './backfill.ts';

/** Goes on with what `words` began, where and how `options` say. */
export function goOnCommand(
  pipeline: string,
  words: BackfillWords,
  options: Omit<BackfillOptions, keyof BackfillWords>,
): string {
  const { directory, maxBehind, yes } = options;
  return backfillCommand(pipeline, words, [
    ...(directory === PIPELINES_DIRECTORY ? [] : ['--directory', directory]),
    ...(maxBehind === undefined ? [] : ['--max-behind', maxBehind]),
    ...cloudWords(options),
    ...(yes ? ['--yes'] : []),
  ]);
}

export function goesOnLine({ startedAtMs }: HeldJob): string {
  return `Goes on with the backfill that was begun at ${iso(startedAtMs)}.`;
}

/** It was not given back, and clocks differ: what is renewed meanwhile is at work. */
export function watchLine({ owner }: HeldJob): string {
  return `Begun by ${owner}, and not ended: looking for ${LEASE_MS / 1_000} s whether that is at work …`;
}

/** Why it is not taken up. */
export function refusal(
  { kind, run: { owner, leaseUntilMs, ask } }: Exclude<JobFound<unknown>, { kind: 'free' }>,
  pipeline: string,
  options: BackfillOptions,
): CliError {
  return new CliError(
    kind === 'busy'
      ? `A backfill of ${pipeline} is at work: ${owner}. If that was killed, it can be taken up from ${iso(leaseUntilMs)} on.`
      : `Another backfill of ${pipeline} is not over. This goes on with it; --restart gives it up:\n` +
          goOnCommand(pipeline, JSON.parse(ask) as BackfillWords, options),
  );
}
