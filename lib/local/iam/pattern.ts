/** Patterns of actions and resources, with `*` and `?`. */

export type Pattern = (text: string) => boolean;

/** The parts of an ARN before its resource; a wildcard does not reach over the colons between them. */
const ARN_HEAD_PARTS = 5;

/** A pattern of an action, as `kinesis:Put*`; letters' case does not matter. Undefined: it is none. */
export function actionPattern(text: string): Pattern | undefined {
  if (text === '*') return () => true;
  if (!/^[a-z0-9-]+:[a-z0-9*?]+$/i.test(text)) return undefined;
  const pattern = text.toLowerCase();
  return (action) => matches(pattern, action.toLowerCase());
}

/** A pattern of a resource: an ARN, or `*`. Undefined: it is none. */
export function resourcePattern(text: string): Pattern | undefined {
  if (text === '*') return () => true;
  const asked = partsOf(text);
  if (asked[0] !== 'arn' || asked.length <= ARN_HEAD_PARTS || hasVariable(text)) return undefined;
  return (resource) => {
    const parts = partsOf(resource);
    return (
      parts.length === asked.length &&
      asked.every((pattern, index) => matches(pattern, parts[index] ?? ''))
    );
  };
}

/** A pattern of any text. */
export function textPattern(text: string): Pattern {
  return (value) => matches(text, value);
}

/** True where the text holds a policy variable, as `${aws:username}`. */
export function hasVariable(text: string): boolean {
  return text.includes('${');
}

/** The head's parts, and all the rest as one: a resource may hold colons. */
function partsOf(arn: string): readonly string[] {
  const parts = arn.split(':');
  const head = parts.slice(0, ARN_HEAD_PARTS);
  return parts.length <= ARN_HEAD_PARTS ? head : [...head, parts.slice(ARN_HEAD_PARTS).join(':')];
}

/**
 * Match a whole text. On a mismatch the last `*` takes one character more, so that no pattern,
 * however it is made, takes longer than the product of both lengths.
 */
function matches(pattern: string, text: string): boolean {
  let [at, from] = [0, 0];
  let star = -1;
  let starFrom = 0;
  while (from < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      starFrom = from;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[from])) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++starFrom;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
