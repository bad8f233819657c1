/** The kind of error that a refusal names in its body, where somebody asks. */
import type { JsonValue } from '#core/record/json';
import type { Path } from '#core/record/path';
import { errorKindAt } from '#core/source/body-error';
import { readText } from './read-text.ts';

/** No error needs more words. */
const BYTES_MAX = 64 * 1024;

export interface ErrorKindRule {
  /** Of which statuses the body is read. */
  readonly of: readonly number[];
  /** Where it names the kind. */
  readonly path: Path;
}

/** Reads the body or closes it. Whatever goes wrong with that, the answer is a refusal, of no kind. */
export async function errorKindOf(
  response: Response,
  { rule, idleMs }: { readonly rule: ErrorKindRule | undefined; readonly idleMs: number },
): Promise<{ readonly errorKind?: string }> {
  if (!rule?.of.includes(response.status)) {
    await response.body?.cancel();
    return {};
  }
  try {
    const text = await readText(response, { bytesMax: BYTES_MAX, idleMs });
    const errorKind = errorKindAt(JSON.parse(text) as JsonValue, rule.path);
    return errorKind === undefined ? {} : { errorKind };
  } catch {
    return {};
  }
}
