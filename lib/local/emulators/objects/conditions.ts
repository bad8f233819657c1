/** Conditions of a request about an object: what HTTP and S3 ask before they answer. */

export interface Standing {
  readonly etag: string;
  readonly modifiedMs: number;
}

export type Verdict = 'passes' | 'precondition-failed' | 'not-modified' | 'no-such-key';

type Headers = Readonly<Record<string, string>>;

/** @source RFC 9110, 13.2.2: an etag's condition stands before a time's. */
export function decideRead(headers: Headers, { etag, modifiedMs }: Standing): Verdict {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  if (ifMatch !== undefined) {
    if (!isNamed(ifMatch, etag)) return 'precondition-failed';
  } else if (modifiedMs >= dateMs(headers['if-unmodified-since']) + 1_000) {
    return 'precondition-failed';
  }
  if (ifNoneMatch !== undefined) return isNamed(ifNoneMatch, etag) ? 'not-modified' : 'passes';
  return modifiedMs < dateMs(headers['if-modified-since'], -Infinity) + 1_000
    ? 'not-modified'
    : 'passes';
}

/** @source Amazon S3 User Guide, "Conditional writes" (2026-10). */
export function decideWrite(headers: Headers, there: Standing | undefined): Verdict {
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined) {
    if (there === undefined) return 'no-such-key';
    if (!isNamed(ifMatch, there.etag)) return 'precondition-failed';
  }
  const isTaken = headers['if-none-match'] === '*' && there !== undefined;
  return isTaken ? 'precondition-failed' : 'passes';
}

function isNamed(list: string, etag: string): boolean {
  const names = list.split(',').map((name) => name.trim().replace(/^W\//, '').replaceAll('"', ''));
  return names.includes('*') || names.includes(etag.replaceAll('"', ''));
}

/** What is no date is no condition. */
function dateMs(text: string | undefined, otherwise = Infinity): number {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? otherwise : ms;
}
