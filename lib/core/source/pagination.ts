/** How one page of a source leads to the next, as a pipeline file says it. */
import type { Path } from '#core/record/path';

/** Where an answer holds something: a place in its body, or a header of it. */
export type Mark = Path | { readonly header: string };

export type Pagination =
  /** One answer holds everything. */
  | { readonly kind: 'none' }
  /** `next`: the token that `param` takes. `more`: true or false; false ends whatever the token says. */
  | {
      readonly kind: 'cursor';
      readonly param: string;
      readonly next: Mark;
      readonly more?: Path | undefined;
    }
  /**
   * `next`: a URL, which is asked as it is; in the `Link` header, the one with `rel="next"`. `first`:
   * parameters of the request for the first page.
   */
  | {
      readonly kind: 'link';
      readonly next: Path | { readonly header: 'Link' };
      readonly first?: Readonly<Record<string, string>> | undefined;
    }
  /** `first`: the number of the first page, 0 or 1. `pages`: how many there are. */
  | {
      readonly kind: 'page';
      readonly param: string;
      readonly first: number;
      readonly pages?: Mark | undefined;
    }
  /**
   * `first`: the offset of the first row, 0 or 1. `total`: how many rows there are. `overlap`: how
   * many rows of a page the next shows again.
   */
  | {
      readonly kind: 'offset';
      readonly param: string;
      readonly first: number;
      readonly total?: Mark | undefined;
      readonly overlap?: number;
    }
  /**
   * `next`: what `param` takes for all that changed since, this run's next page as well as the next
   * run. `more`: true or false; `pending`: how many changes are left. Either is an end.
   */
  | {
      readonly kind: 'feed';
      readonly param: string;
      readonly next: Mark;
      readonly more?: Path | undefined;
      readonly pending?: Mark | undefined;
    }
  /**
   * `field`: a record's value that records rise by; `param` takes the last, and leaves it out. `mayTie`:
   * records may share one.
   */
  | {
      readonly kind: 'keyset';
      readonly param: string;
      readonly field: Path;
      readonly mayTie?: boolean;
    };
