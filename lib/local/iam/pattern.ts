/** Patterns of actions and resources, with `*` and `?`, each compiled once. */

export type Pattern = (text: string) => boolean;

/** The parts of an ARN before its resource; a wildcard does not reach over the colons between them. */
const ARN_HEAD_PARTS = 5;

/** A pattern of an action, as `kinesis:Put*`; letters' case does not matter. Undefined: it is none. */
export function actionPattern(text: string): Pattern | undefined {
  if (text === '*') return () => true;
  if (!/^[a-z0-9-]+:[a-z0-9*?]+$/i.test(text)) return undefined;
  return matcher(wild(text, '.'), 'i');
}

/** A pattern of a resource: an ARN, or `*`. Undefined: it is none. */
export function resourcePattern(text: string): Pattern | undefined {
  if (text === '*') return () => true;
  const parts = text.split(':');
  if (parts[0] !== 'arn' || parts.length <= ARN_HEAD_PARTS || hasVariable(text)) return undefined;
  const head = parts.slice(0, ARN_HEAD_PARTS).map((part) => wild(part, '[^:]'));
  const resource = wild(parts.slice(ARN_HEAD_PARTS).join(':'), '.');
  return matcher([...head, resource].join(':'));
}

/** A pattern of any text. */
export function textPattern(text: string): Pattern {
  return matcher(wild(text, '.'));
}

/** True where the text holds a policy variable, as `${aws:username}`. */
export function hasVariable(text: string): boolean {
  return text.includes('${');
}

/** `any` stands for one character that a wildcard may be. */
function wild(text: string, any: string): string {
  return text
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', `${any}*`)
    .replaceAll('?', any);
}

function matcher(source: string, flags = ''): Pattern {
  const expression = new RegExp(`^${source}$`, `s${flags}`);
  return (text) => expression.test(text);
}
