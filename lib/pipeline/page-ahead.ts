/** Asks for the next page while the last is being published. */
import type { PageAnswer, PageRequest, PageSource } from '#ports/page-source';

export interface PageAhead {
  /** Begins to ask for the page at `token`. */
  begin(token: string, request: Omit<PageRequest, 'signal'>): void;
  /** The answer to what was begun; undefined unless that was for `token`. Handed out once. */
  take(token: string | undefined): Promise<PageAnswer> | undefined;
  /** The answer that has come, and that nobody took. */
  untaken(): PageAnswer | undefined;
  /** Gives up what nobody took. */
  close(): void;
}

interface Begun {
  readonly token: string;
  readonly answer: Promise<PageAnswer>;
  readonly abort: AbortController;
  arrived: PageAnswer | undefined;
}

export function pageAhead(source: PageSource): PageAhead {
  let begun: Begun | undefined;

  function close(): void {
    begun?.abort.abort();
    begun = undefined;
  }

  return {
    begin(token, request) {
      close();
      const abort = new AbortController();
      const answer = source.fetchPage({ ...request, signal: abort.signal });
      const ask: Begun = { token, answer, abort, arrived: undefined };
      // Whoever takes it hears of its failure; if nobody does, it was not needed.
      answer.then(
        (arrived) => void (ask.arrived = arrived),
        () => undefined,
      );
      begun = ask;
    },
    take(token) {
      if (begun === undefined || begun.token !== token) return undefined;
      const { answer } = begun;
      begun = undefined;
      return answer;
    },
    untaken: () => begun?.arrived,
    close,
  };
}
