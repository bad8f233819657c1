/** The body of a request: a template of JSON, and what this request puts into it. */
import type { JsonObject, JsonValue } from '#core/record/json';
import { exactNumber, numberText } from '#core/record/exact-json';
import { parsePath, readPath } from '#core/record/path';
import { putAt } from '#core/record/put-at';
import { AnswerFault } from './answer-fault.ts';

export interface BodyTemplate {
  readonly template: JsonObject;
  /** Parameters that are dot paths in it; all others stand in the URL. */
  readonly params: readonly string[];
}

type Query = Readonly<Record<string, string>>;

/**
 * Put the parameters of a request where they belong. A value becomes a number where the template holds
 * one, and text elsewhere; where a request has none, the template stays as it is.
 *
 * @throws {AnswerFault} where a number belongs, and the value is none.
 */
export function pageBody(
  { template, params }: BodyTemplate,
  query: Query,
): { readonly query: Query; readonly body: string } {
  const left: Record<string, string> = {};
  let body = template;
  for (const [param, text] of Object.entries(query)) {
    if (!params.includes(param)) {
      left[param] = text;
      continue;
    }
    const path = parsePath(param);
    const isNumber = numberText(readPath(template, path)) !== undefined;
    body = putAt(body, path, isNumber ? asNumber(text, param) : text) ?? body;
  }
  return { query: left, body: JSON.stringify(body) };
}

/** Digit for digit. */
function asNumber(text: string, param: string): JsonValue {
  if (/^-?(0|[1-9]\d*)$/.test(text)) return exactNumber(text);
  const detail = `what belongs at \`${param}\` of source.request.body is no whole number, as the template has it`;
  throw new AnswerFault('refused', detail);
}
