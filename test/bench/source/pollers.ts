/** Ways to take a page: ours, from its text to the requests planned, and the bare loop. */
import { strikeCredentials } from '#adapters/http/auth/strike-secrets';
import { parseBody } from '#adapters/http/parse-body';
import { contentDigest as digest } from '#adapters/system/content-digest';
import { systemClock as clock } from '#adapters/system/clock';
import { NO_LANES, publishQueue } from '#core/batch/publish-queue';
import { REQUEST_LIMITS } from '#core/batch/request-limits';
import { pageRecords } from '#core/source/page-records';
import { sightMemory } from '#core/source/sight';
import { textEncoding } from '#pipeline/encode-texts';
import { sortPage } from '#pipeline/poll-page';
import type { PollOptions } from '#pipeline/poll-options';
import type { SizedRecord } from '#pipeline/publish';
import type { Contestant } from '#test/bench/cpu-of';

/** The text of one answer, and how many records it holds. */
export interface Page {
  readonly text: string;
  readonly records: number;
}

/** All that a poll does to a page between the answer's text and the first byte to the stream. */
export function ours(options: PollOptions): Contestant<Page> {
  const texts = textEncoding();
  const headers = { authorization: 'Bearer sk_live_5uXm0Rk2vTq8ZbLw3JhYcN7d' };
  const strike = strikeCredentials({ kind: 'credentials', headers, params: {} });
  return {
    name: 'Penstock, parse to plan',
    take({ text, records: count }) {
      const shape = { form: 'json', records: options.records.path, contentType: '' } as const;
      const { body, bytesOf } = parseBody(strike(text), shape);
      const found = pageRecords(body, options.records);
      if (found.kind === 'unreadable') throw new Error(found.detail);
      texts.reuse();
      let counter = 0;
      const memory = sightMemory();
      const context = { epoch: 1, sourceMs: 0, count: () => ++counter, memory, texts, bytesOf };
      const { outgoing } = sortPage(found.records, options, { digest, clock }, context);
      const queue = publishQueue<SizedRecord>(REQUEST_LIMITS);
      for (const record of outgoing) queue.push(record);
      let planned = 0;
      while (queue.size() > 0) {
        const taken = queue.take(NO_LANES);
        planned += taken.length;
        queue.settle(taken, () => true);
      }
      if (planned !== count) throw new Error(`${planned} of ${count} records were planned`);
      return body;
    },
  };
}

/** What nobody can do without: the page as values, each record as text. */
export const bareLoop: Contestant<Page> = {
  name: 'JSON.parse and JSON.stringify',
  take({ text, records: count }) {
    let units = 0;
    const page = JSON.parse(text) as { readonly data: readonly object[] };
    for (const record of page.data) units += JSON.stringify(record).length;
    if (units < count) throw new Error('records are empty');
    return page;
  },
};
