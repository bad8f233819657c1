/** Asks for a page that no run asks for: it shows whether a run begins and ends where it should. */
import type { Walk } from '#cli/source/walk-pages';
import { scalarText } from '#core/record/exact-json';
import { readPath } from '#core/record/path';
import type { Pagination } from '#core/source/pagination';
import type { Observed } from './finding.ts';
import { firstFall } from './first-fall.ts';

type Seen = Pick<Observed, 'options' | 'walk'>;

export async function askBeside(
  { options, walk }: Seen,
  ask: (from: string) => Promise<Walk>,
): Promise<Observed['beside']> {
  const { pagination } = options.source;
  const token = placeBeside(pagination, walk);
  return token === undefined ? undefined : { token, walk: await ask(token) };
}

/** Undefined where no page beside the run could tell more. */
function placeBeside(pagination: Pagination, { pages, end }: Walk): string | undefined {
  switch (pagination.kind) {
    case 'page':
      if (pages.length === 0) return undefined;
      if (pagination.first === 1) return '0';
      // Both of the first two numbers may be the first page's.
      return end.kind === 'page-repeats' && pages.length === 1 ? '2' : undefined;
    case 'offset':
      if (pages.length === 0) return undefined;
      if (pagination.first === 1) return '0';
      // A page and nothing behind it may be all, or a number that was taken for a place.
      return end.kind === 'last-page' && pages.at(1)?.shown === 0 ? '1' : undefined;
    case 'cursor': {
      // A flag has ended the run, and it may say the opposite.
      const page = pages.at(-1);
      const isEnded = end.kind === 'last-page' && pagination.more !== undefined;
      if (!isEnded || page === undefined || 'header' in pagination.next) return undefined;
      return scalarText(readPath(page.body, pagination.next));
    }
    case 'keyset':
      return firstFall(pages, pagination.field)?.above;
    default:
      return undefined;
  }
}
