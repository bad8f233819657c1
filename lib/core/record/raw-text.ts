/** Any JSON value as text, however deep it nests. */
import { isJsonArray, isJsonObject } from './path.ts';
import type { JsonValue } from './json.ts';

/**
 * Write JSON as `JSON.stringify` does; where that runs out of stack, without recursion.
 *
 * What is too deep to be stored must still be kept as it came.
 */
export function rawText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return withoutRecursion(value);
  }
}

/** Text that is ready, or a value still to be written; the next one stands last. */
type Work = { readonly text: string } | { readonly value: JsonValue };

function withoutRecursion(root: JsonValue): string {
  const parts: string[] = [];
  const work: Work[] = [{ value: root }];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if ('text' in next) parts.push(next.text);
    else work.push(...piecesOf(next.value).toReversed());
  }
  return parts.join('');
}

function piecesOf(value: JsonValue): Work[] {
  if (isJsonArray(value)) {
    const members = value.map((one): Work[] => [{ value: one }]);
    return [{ text: '[' }, ...between(members), { text: ']' }];
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, one]): Work[] => [
      { text: `${JSON.stringify(name)}:` },
      { value: one },
    ]);
    return [{ text: '{' }, ...between(members), { text: '}' }];
  }
  return [{ text: JSON.stringify(value) }];
}

function between(members: readonly Work[][]): Work[] {
  return members.flatMap((member, at) => (at === 0 ? member : [{ text: ',' }, ...member]));
}
