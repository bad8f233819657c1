/** Words a schema's issues as sentences for the person who wrote the file. */
import type * as z from 'zod';
import { issueSentence, isMissing, kindExpected } from './issue-sentence.ts';

type Issue = z.core.$ZodIssue;
type UnionIssue = Extract<Issue, { code: 'invalid_union' }>;

export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Everything wrong, in the order of the file's schema. */
export function faultsOf(issues: readonly Issue[]): readonly Fault[] {
  const faults = issues.flatMap((issue) => expand(issue, []));
  const meant = new Set(faults.flatMap(meantPath));
  // What is no list has no length that could be wrong as well.
  const said = new Set<string>();
  return faults.filter(({ path, message }) => {
    const place = pathText(path);
    if (said.has(place) || (isMissing(message) && meant.has(place))) return false;
    said.add(place);
    return true;
  });
}

/** `source.pagination.nxt: unknown key; did you mean 'next'?` */
export function faultText({ path, message }: Fault): string {
  return path.length === 0 ? message : `${pathText(path)}: ${message}`;
}

/** A path as it is written: `consumers[0].name`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

/** What a misspelt key was meant to be is not missing as well. */
function meantPath({ path, message }: Fault): readonly string[] {
  const meant = /did you mean '(.+)'\?$/.exec(message)?.[1];
  return meant === undefined ? [] : [pathText([...path.slice(0, -1), meant])];
}

function expand(issue: Issue, above: readonly PropertyKey[]): readonly Fault[] {
  const path = [...above, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys': {
      const messages = issue.message.split('\n');
      return issue.keys.map((key, index) => ({
        path: [...path, key],
        message: messages[index] ?? 'unknown key',
      }));
    }
    case 'invalid_union':
      return expandUnion(issue, path);
    case 'invalid_key':
      return issue.issues.flatMap((inner) => expand(inner, path));
    default:
      return [{ path, message: issueSentence(issue) }];
  }
}

/** Of the shapes that a value may have, speak of the one it is nearest to. */
function expandUnion(issue: UnionIssue, path: readonly PropertyKey[]): readonly Fault[] {
  const ofThisKind = issue.errors.filter((issues) => !issues.some(isOfAnotherKind));
  const nearest = [...ofThisKind].sort((a, b) => weight(a) - weight(b))[0];
  if (nearest === undefined || issue.message !== 'Invalid input') {
    const kinds = issue.errors.flatMap((issues) => issues.map(kindExpected));
    return [{ path, message: issueSentence(issue, [...new Set(kinds)]) }];
  }
  return nearest.flatMap((inner) => expand(inner, path));
}

function isOfAnotherKind(issue: Issue): boolean {
  return issue.path.length === 0 && /^invalid_(type|value)$/.test(issue.code);
}

function weight(issues: readonly Issue[]): number {
  return issues.reduce(
    (sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1),
    0,
  );
}
