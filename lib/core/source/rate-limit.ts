/** How long an answer says to wait because no request is left. */
import { parseHttpDate, parseReset } from './retry-after.ts';

/** Reads a header by its name in small letters. */
type Header = (name: string) => string | undefined;

interface Statement {
  readonly remaining: number | undefined;
  /** Milliseconds; undefined where none is named that makes sense. */
  readonly resetMs: number | undefined;
}

/**
 * Read what is said of what remains: the longest wait of the statements with nothing left.
 *
 * @returns milliseconds; undefined where requests are left, or nothing is said that makes sense.
 * @source draft-ietf-httpapi-ratelimit-headers: -02 (three headers), -07 (one, with names) and -10
 *   (a list of policies); X-RateLimit-… and X-Rate-Limit-… as GitHub and others write them.
 */
export function spentMs(header: Header, nowMs: number): number | undefined {
  return longest(statements(header, nowMs).filter(({ remaining = 1 }) => remaining < 1));
}

/**
 * The wait of an answer that refuses for want of requests: a limit that does not say what remains may be the one.
 *
 * @param isNamed the answer names a wait elsewhere; if not, the wait may be that of any limit it speaks of.
 */
export function resetWaitMs(
  header: Header,
  { nowMs, isNamed }: { readonly nowMs: number; readonly isNamed: boolean },
): number | undefined {
  const all = statements(header, nowMs);
  return (
    longest(all.filter(({ remaining = 0 }) => remaining < 1)) ??
    (isNamed ? undefined : longest(all))
  );
}

function statements(header: Header, nowMs: number): readonly Statement[] {
  const clockMs = parseHttpDate(header('date')) ?? nowMs;
  return [
    ...FAMILIES.flatMap((family) => ofFamily(header, family, clockMs)),
    ...ofList(header, clockMs),
  ];
}

function longest(of: readonly Statement[]): number | undefined {
  const waits = of.flatMap(({ resetMs }) => (resetMs === undefined ? [] : [resetMs]));
  return waits.length === 0 ? undefined : Math.max(...waits);
}

const FAMILIES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

/** A header sent twice arrives as a list: which belong together is not said, so the longest counts. */
function ofFamily(header: Header, family: string, clockMs: number): readonly Statement[] {
  const remaining = listOf(header(`${family}-remaining`)).map(parseCount);
  const least = Math.min(...remaining.filter((count) => count !== undefined));
  return listOf(header(`${family}-reset`)).map((text) => ({
    remaining: Number.isFinite(least) ? least : undefined,
    resetMs: parseReset(text, clockMs),
  }));
}

/** `limit=100, remaining=0, reset=30`, or `"hour";r=0;t=30, "day";r=7;t=9`. */
function ofList(header: Header, clockMs: number): readonly Statement[] {
  const text = header('ratelimit');
  if (text === undefined) return [];
  const named = /(?:^|[,;\s])remaining=(-?\d+)/.exec(text)?.[1];
  if (named !== undefined) {
    const reset = /(?:^|[,;\s])reset=(\d+)/.exec(text)?.[1];
    return [{ remaining: Number(named), resetMs: parseReset(reset, clockMs) }];
  }
  const policies = new Map(
    itemsOf(header('ratelimit-policy') ?? '').map(({ name, params }) => [name, params.get('w')]),
  );
  return itemsOf(text).map(({ name, params }) => ({
    remaining: parseCount(params.get('r') ?? ''),
    // Without a time left, all of the policy's window may be to come.
    resetMs: parseReset(params.get('t') ?? policies.get(name), clockMs),
  }));
}

const ITEM =
  /("(?:[^"\\]|\\.)*"|[A-Za-z*][\w:.*/-]*)((?:\s*;\s*[a-z][\w*.-]*=(?:"[^"]*"|[^;,"\s]+))+)/g;
const PARAM = /;\s*([a-z][\w*.-]*)=("[^"]*"|[^;,"\s]+)/g;

function itemsOf(text: string) {
  return Array.from(text.matchAll(ITEM), ([, name = '', params = '']) => ({
    name,
    params: new Map(Array.from(params.matchAll(PARAM), ([, key = '', value = '']) => [key, value])),
  }));
}

function listOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(',').map((part) => part.trim());
}

/** Some count on below nothing where more was asked for than is allowed. */
function parseCount(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
