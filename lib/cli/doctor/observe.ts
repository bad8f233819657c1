/** Looks at a source once, for all checks: a run from the beginning, and what shows more than that. */
import type { Exchange } from '#adapters/http/page-source';
import type { Patience } from '#cli/source/ask-patiently';
import type { OpenSource } from '#cli/source/open-source';
import { walkPages } from '#cli/source/walk-pages';
import type { PipelineSettings } from '#config/pipeline-settings';
import { runQuery } from '#core/source/page-query';
import { latestSpan } from '#core/source/span';
import type { PageRequest, PageSource } from '#ports/page-source';
import { askBeside } from './ask-beside.ts';
import { askDeletes } from './ask-deletes.ts';
import type { Observed } from './finding.ts';
import { probeBoundary } from './probe-boundary.ts';
import type { AskPages } from './probe-boundary.ts';
import { recordsOf } from './records-of.ts';

export interface ObserveAsk extends OpenSource {
  readonly settings: PipelineSettings;
  readonly exchanges: readonly Exchange[];
  readonly pagesMax: number;
}

export async function observe(
  { settings, options, source, deletes, exchanges, pagesMax }: ObserveAsk,
  patience: Omit<Patience, 'source'>,
): Promise<Observed> {
  const heard = hearing(source, exchanges);
  const ask: AskPages = (query, { enough = () => false, ...place }) =>
    walkPages(options, query, {
      ...patience,
      ...place,
      source: heard.source,
      isEnough: (pages) => pages.length >= pagesMax || pages.some(enough),
    });
  const nowMs = patience.clock.nowMs();
  const query = runQuery(options.source, latestSpan(options.source.incremental, nowMs));
  const walk = await ask(query, {});
  const last = heard.last();
  const seen = { settings, options, exchanges, walk, last, records: recordsOf(walk, options) };
  // A source that asks to wait, or is down, is not asked once more.
  if (walk.end.kind === 'no-page' && walk.end.answer.kind !== 'refused') return seen;
  // What no run asks for may well be refused: it is asked for once.
  const beside = await askBeside(seen, (from) =>
    ask(query, { from, enough: () => true, attemptsMax: 1 }),
  );
  const probe = await probeBoundary(seen, { nowMs, ask });
  const isWell = walk.pages.length > 0 && deletes !== undefined;
  const gone = isWell
    ? await askDeletes(options, { ...patience, source: deletes, nowMs })
    : undefined;
  return { ...seen, beside, probe, deletes: gone };
}

/** Tells what was heard of the last request alone: of one that never left, nothing. */
function hearing(source: PageSource, exchanges: readonly Exchange[]) {
  let before = 0;
  return {
    source: {
      fetchPage(request: PageRequest) {
        before = exchanges.length;
        return source.fetchPage(request);
      },
    },
    last: () => exchanges.slice(before).at(-1),
  };
}
