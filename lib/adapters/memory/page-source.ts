/** PageSource in memory: a script of answers, and a note of what was asked. */
import type { PageAnswer, PageRequest, PageSource } from '#ports/page-source';

export interface MemoryPageSource extends PageSource {
  readonly requests: readonly PageRequest[];
}

/** @param answer is asked with each request and its index from 0. */
export function memoryPageSource(
  answer: (request: PageRequest, at: number) => PageAnswer,
): MemoryPageSource {
  const requests: PageRequest[] = [];
  return {
    requests,
    async fetchPage(request) {
      requests.push(request);
      return answer(request, requests.length - 1);
    },
  };
}
