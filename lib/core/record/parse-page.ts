/** Parses an answer with all digits, and keeps where its records stand: that spares writing them anew. */
import { exactNumber, isExactNumber, parseExact } from './exact-json.ts';
import type { JsonValue } from './json.ts';
import { isJsonArray, readSteps } from './path.ts';
import type { Path } from './path.ts';
import { scanPage } from './scan-page.ts';
import type { LongNumber, PageText } from './scan-page.ts';

export interface ParsedPage {
  readonly body: JsonValue;
  /** By a record's index, the bytes that are it; undefined where it is to be written anew. */
  readonly bytesOf: (index: number) => Uint8Array | undefined;
}

/**
 * @param text what `page` says.
 * @param records where the answer holds its array of records.
 * @throws {SyntaxError} when the text is not JSON.
 * @throws {RangeError} when it nests too deep to be read with all digits.
 */
export function parsePage(text: string, page: PageText, records: Path): ParsedPage {
  const body = JSON.parse(text) as JsonValue;
  const scan = scanPage(page, records);
  if (scan === undefined) return { body: parseExact(text), bytesOf: () => undefined };
  // Of a name that stands twice the last counts, and it may lead elsewhere.
  const spans = isJsonArray(readSteps(body, records)) ? scan.spans : [];
  return {
    body: scan.numbers.reduce(withDigits, body),
    bytesOf(index) {
      const to = spans[2 * index + 1];
      return to === undefined ? undefined : page.bytes.subarray(spans[2 * index], to);
    },
  };
}

type Holder = Record<string | number, JsonValue>;

/** Puts a number with its digits in the place of its double; what came later under the same name stays. */
function withDigits(body: JsonValue, { path, text }: LongNumber): JsonValue {
  const last = path.at(-1);
  if (last === undefined) return exactNumber(text);
  let holder = body as unknown as Holder | undefined;
  for (let at = 0; at < path.length - 1; at++) {
    holder = ownMember(holder, path[at] as string) as unknown as Holder | undefined;
  }
  const standing = ownMember(holder, last);
  if (holder && (isExactNumber(standing) || Object.is(standing, Number(text)))) {
    holder[last] = exactNumber(text);
  }
  return body;
}

function ownMember(holder: Holder | undefined, name: string | number): JsonValue | undefined {
  return holder instanceof Object && Object.hasOwn(holder, name) ? holder[name] : undefined;
}
