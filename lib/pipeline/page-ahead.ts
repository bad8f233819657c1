/** Asks for the next page while the last is being published. */
import type { PageAnswer, PageRequest, PageSource } from '#ports/page-source';

export interface PageAhead {
  /** Begins to ask for the page at `token`. */
  begin(token: string, request: Omit<PageRequest, 'signal'>): void;
  /** The answer to what was begun; undefined unless that was for `token`. Handed out once. */
  take(token: string | undefined): Promise<PageAnswer> | undefined;
  /** Gives up what nobody took. */
  close(): void;
}

interface Begun {
  readonly token: string;
  readonly answer: Promise<PageAnswer>;
  readonly abort: AbortController;
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
      // Whoever takes it hears of its failure; if nobody does, it was not needed.
      answer.catch(() => undefined);
      begun = { token, answer, abort };
    },
    take(token) {
      if (begun === undefined || begun.token !== token) return undefined;
      const { answer } = begun;
      begun = undefined;
      return answer;
    },
    close,
  };
}
