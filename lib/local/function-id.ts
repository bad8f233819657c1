/** Which function a path of Lambda's API names. */
import { arn } from './template/arns.ts';

export interface FunctionId {
  readonly name: string;
  /** `$LATEST`, a version or an alias. */
  readonly qualifier: string;
}

/**
 * Read a name, an ARN or a part of one, with or without a qualifier.
 *
 * @param text as it stands in the path, percent-encoded.
 * @source AWS Lambda API 2015-03-31, FunctionName.
 */
export function functionIdIn(text: string, qualifier: string | null = null): FunctionId {
  const given = decoded(text)
    .replace(/^.*function:/, '')
    .replace(/^\d{12}:/, '');
  const [name = '', own] = given.split(':');
  return { name, qualifier: qualifier ?? own ?? '$LATEST' };
}

export function functionArn(name: string): string {
  return arn('lambda', `function:${name}`);
}

/** What is not percent-encoded UTF-8 stays as it is, and names nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
