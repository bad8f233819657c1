/** What an answer's validators hold for: another request, or another use of its rows, is another matter. */
import { validatorsOf } from '#core/source/snapshot-cursor';
import type { KnownAnswer, Validators } from '#core/source/snapshot-cursor';
import type { Cursor } from '#core/source/cursor';
import type { PageAnswer } from '#ports/page-source';
import type { PollOptions, PollWorld } from './poll-options.ts';

/** What the answer can be asked by next time; undefined when there is nothing, or nobody wants to. */
export function knownAnswer(
  { head }: Extract<PageAnswer, { kind: 'page' }>,
  options: PollOptions,
  digest: PollWorld['digest'],
): KnownAnswer | undefined {
  if (head === undefined || options.snapshot?.conditional !== true) return undefined;
  const validators = validatorsOf((name) => head.header(name));
  return validators && { ...validators, asked: askedOf(options, digest) };
}

/** What a run's first request is conditional on; undefined where it is to be answered in any case. */
export function unlessOf(
  { run, snapshot }: Cursor,
  options: PollOptions,
  digest: PollWorld['digest'],
): Validators | undefined {
  const { unless } = snapshot ?? {};
  if (run !== null || unless === undefined || options.snapshot?.conditional !== true)
    return undefined;
  const { asked, ...validators } = unless;
  return asked === askedOf(options, digest) ? validators : undefined;
}

/** The same for the same settings, and for no other; a map stands by its code. */
function askedOf({ source, records, rules }: PollOptions, digest: PollWorld['digest']): string {
  return digest(JSON.stringify([source, records, { ...rules, map: String(rules.map) }]));
}
