/** The same questions put to two makers of a service: where their answers differ is written down. */
import { isDeepStrictEqual } from 'node:util';

export interface ParityQuestion<Client> {
  /** Unique among the questions of its service, as `split-closed-shard`. */
  readonly id: string;
  /** What is asked, as a phrase: `a split of a shard that was split before`. */
  readonly asks: string;
  /**
   * Ask, and answer plain JSON without what differs from run to run: times, numbers, request ids.
   * An error of the service may be thrown: its name is then the answer.
   */
  readonly ask: (client: Client) => Promise<Json>;
}

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** By the question's id. */
export type Answers = ReadonlyMap<string, Json>;

export interface Difference {
  readonly question: string;
  readonly ours: Json;
  readonly theirs: Json;
}

/** A difference that somebody has looked at. */
export interface ExplainedDifference extends Difference {
  readonly right: 'ours' | 'theirs' | 'both' | 'neither' | 'unknown';
  /** The AWS page or API shape that decides; where AWS says nothing, why we answer so. */
  readonly source: string;
}

/** Ask every question, a few at a time: each works on what it created itself. */
export async function askAll<Client>(
  questions: readonly ParityQuestion<Client>[],
  client: Client,
  { atOnce = 4 }: { readonly atOnce?: number } = {},
): Promise<Answers> {
  const answers = new Map<string, Json>();
  const waiting = [...questions];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      answers.set(next.id, await answerTo(next, client));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answers;
}

async function answerTo<Client>(question: ParityQuestion<Client>, client: Client): Promise<Json> {
  try {
    return await question.ask(client);
  } catch (error) {
    // An error of the service, as its client throws it; any other is a mistake in the question.
    if (error instanceof Error && '$metadata' in error) return { error: error.name };
    throw new Error(`question ${question.id} broke`, { cause: error });
  }
}

/** Where two makers answer differently, in the order of the questions' ids. */
export function differences(ours: Answers, theirs: Answers): readonly Difference[] {
  return [...ours]
    .map(([question, answer]) => ({ question, ours: answer, theirs: theirs.get(question) ?? null }))
    .filter((found) => !isDeepStrictEqual(found.ours, found.theirs))
    .sort(byQuestion);
}

/** What `differences` must find: anything else is unexplained, or explained and gone. */
export function expectedOf(explained: readonly ExplainedDifference[]): readonly Difference[] {
  return explained
    .map(({ question, ours, theirs }) => ({ question, ours, theirs }))
    .sort(byQuestion);
}

function byQuestion(one: Difference, other: Difference): number {
  return one.question < other.question ? -1 : 1;
}
