import type { JsonValue } from '#core/record/json';
import type { PageHead } from '#core/source/next-page';
import type { Validators } from '#core/source/snapshot-cursor';

export interface PageRequest {
  /** Query parameters, in order; the base URL and credentials belong to the adapter. */
  readonly query: Readonly<Record<string, string>>;
  /** Path and query of a page that an answer named, under the same origin; the base URL's unless given. */
  readonly place?: string;
  readonly timeoutMs: number;
  /** What an earlier answer said of its content: no page is wanted while that has not changed. */
  readonly unless?: Validators | undefined;
  /** Ends the request early: nobody waits for its answer. */
  readonly signal?: AbortSignal;
  /** Passed by each request that leaves, redirects too; time in front of it is no part of `timeoutMs`. */
  readonly gate?: RequestGate;
}

/** Keeps requests to an API within its budget. */
export interface RequestGate {
  /**
   * Waits until a permit is no further off than `withinMs`, and takes none.
   *
   * @throws as `enter` does.
   */
  approach(signal: AbortSignal, withinMs: number): Promise<Spent | undefined>;
  /**
   * Waits for the permit of one request, which leaves at once.
   *
   * @throws the reason of `signal`; an error with `retryable` when the budget cannot be asked.
   */
  enter(signal: AbortSignal): Promise<Entry>;
  /** Tells all who share the budget that the API asked to be left alone; never throws. */
  hold(untilMs: number): Promise<void>;
}

export type Entry =
  /** `timeoutMs`: how long the request may take in the run that asks. */
  { readonly kind: 'granted'; readonly timeoutMs: number } | Spent;

/** The budget has no permit before then, and the run ends earlier. */
export interface Spent {
  readonly kind: 'spent';
  readonly notBeforeMs: number;
  readonly detail: string;
}

interface Heeded {
  /** The answer says, beside what it brings, that no request is allowed before then, by our clock. */
  readonly notBeforeMs?: number;
}

export type PageAnswer =
  | (Heeded & {
      readonly kind: 'page';
      readonly body: JsonValue;
      /** By its index, a record as the source wrote it, in UTF-8 and without white space, where that is known. */
      readonly bytesOf?: (index: number) => Uint8Array | undefined;
      /** Undefined where nothing stands around the body. */
      readonly head?: PageHead;
      /** The source says that there is more than this: status 206. */
      readonly isPart?: boolean;
      /** Of the body, in characters; undefined where nobody counts them. */
      readonly chars?: number;
      /** The source's clock when the request started: its `Date` less the time taken; ours if none. */
      readonly startedAtMs: number;
    })
  /** What the request named in `unless` still holds. */
  | (Heeded & { readonly kind: 'unchanged' })
  /**
   * 429, or 503 with Retry-After, or 200 with an error that only asks for time. `waitMs` undefined:
   * the source named none.
   */
  | { readonly kind: 'wait'; readonly status: number; readonly waitMs: number | undefined }
  | Spent
  /** Worth another try: 5xx, a dropped connection, a body cut short or too slow. */
  | (Heeded & { readonly kind: 'unavailable'; readonly detail: string })
  /**
   * Trying again cannot help until a person acts: 4xx, HTML, not JSON, too large. `status`: what it
   * was answered with, where that is why; `errorKind`: what such an answer named, where somebody asks.
   */
  | (Heeded & {
      readonly kind: 'refused';
      readonly detail: string;
      readonly status?: number;
      readonly errorKind?: string;
    });

/** An answer that brings nothing. */
export type NoPage = Exclude<PageAnswer, { kind: 'page' | 'unchanged' } | Spent>;

export interface PageSource {
  fetchPage(request: PageRequest): Promise<PageAnswer>;
}
