/** Asks a source for one page, and keeps the waits that it names. */
import { capital, seconds } from '#cli/render/text';
import { backoffMs, SOURCE_BACKOFF } from '#core/source/backoff';
import type { Chance } from '#ports/chance';
import type { Clock } from '#ports/clock';
import type { PageAnswer, PageRequest, PageSource } from '#ports/page-source';

export interface Patience {
  readonly source: PageSource;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Is told before each wait, in one sentence. */
  readonly say: (sentence: string) => void;
  /** How often a page is asked for at most; four times unless given. */
  readonly attemptsMax?: number;
}

const ATTEMPTS_MAX = 4;

/** A person who waits longer would rather come back. */
const WAIT_MS_MAX = 60_000;

/** Ask again after a wait that is named, or a failure that may pass; the last answer is the answer. */
export async function askPatiently(
  request: PageRequest,
  { source, clock, chance, say, attemptsMax = ATTEMPTS_MAX }: Patience,
): Promise<PageAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await source.fetchPage(request);
    const waitMs = attempt < attemptsMax ? waitAfter(answer, attempt, chance) : undefined;
    if (waitMs === undefined || waitMs > WAIT_MS_MAX) return answer;
    say(`${capital(troubleOf(answer))}: asking again in ${seconds(waitMs)}.`);
    await clock.sleep(waitMs);
  }
}

function waitAfter(answer: PageAnswer, attempt: number, chance: Chance): number | undefined {
  if (answer.kind === 'wait') return answer.waitMs;
  if (answer.kind !== 'unavailable') return undefined;
  return backoffMs(attempt, SOURCE_BACKOFF, chance());
}

/** One clause for what is no page. */
export function troubleOf(answer: PageAnswer): string {
  switch (answer.kind) {
    case 'page':
    case 'unchanged':
      return '';
    case 'wait': {
      const { status, waitMs } = answer;
      const wait =
        waitMs === undefined ? 'names no wait' : `asks to wait ${Math.ceil(waitMs / 1_000)} s`;
      return `the source answered status ${status} and ${wait}`;
    }
    case 'spent':
    case 'unavailable':
    case 'refused':
      return answer.detail;
  }
}
