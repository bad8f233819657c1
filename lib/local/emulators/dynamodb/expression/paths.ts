/** Sets of document paths: whether they collide, and what of an item lies under them. */
import type { ServiceError } from '#local/aws-json';
import { memberOf } from '#local/emulators/dynamodb/attribute-value';
import type { AttributeMap, AttributeValue } from '#local/emulators/dynamodb/attribute-value';
import type { Path } from './syntax.ts';

/** The steps of a path with every alias resolved: a name, or an index. */
export type ResolvedPath = readonly (string | number)[];

export interface Names {
  nameOf(alias: string): string;
}

export function resolvePath(path: Path, names: Names): ResolvedPath {
  return path.steps.map((step) => {
    if (step.kind === 'index') return step.index;
    return step.kind === 'alias' ? names.nameOf(step.alias) : step.name;
  });
}

/** As the service's refusals write it. */
export function showPath(path: ResolvedPath): string {
  return `[${path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join(', ')}]`;
}

/** @throws {ServiceError} when one path lies on another's way, or takes a map for a list. */
export function refuseOverlap(
  paths: readonly ResolvedPath[],
  refuse: (why: string) => ServiceError,
): void {
  for (const [at, one] of paths.entries()) {
    for (const other of paths.slice(at + 1)) {
      const common = Math.min(one.length, other.length);
      const until = one.slice(0, common).findIndex((step, index) => step !== other[index]);
      const overlap = until < 0;
      if (!overlap && typeof one[until] === typeof other[until]) continue;
      throw refuse(
        `Two document paths ${overlap ? 'overlap' : 'conflict'} with each other; must remove or rewrite one of ` +
          `these paths; path one: ${showPath(one)}, path two: ${showPath(other)}`,
      );
    }
  }
}

/** What of an item the paths lead to, in its place; list members close up. */
export function project(item: AttributeMap, paths: readonly ResolvedPath[]): AttributeMap {
  const names = new Set(paths.map(([name]) => String(name)));
  const result: Record<string, AttributeValue> = Object.create(null);
  for (const name of names) {
    const inner = paths.filter(([first]) => String(first) === name).map((path) => path.slice(1));
    const value = prune(memberOf(item, name), inner);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

function prune(
  value: AttributeValue | undefined,
  paths: readonly ResolvedPath[],
): AttributeValue | undefined {
  if (value === undefined || paths.some((path) => path.length === 0)) return value;
  if ('M' in value) {
    const map = project(
      value.M,
      paths.filter(([step]) => typeof step === 'string'),
    );
    return Object.keys(map).length === 0 ? undefined : { M: map };
  }
  if ('L' in value) {
    const members = value.L.flatMap((member, index) => {
      const inner = paths.filter(([step]) => step === index).map((path) => path.slice(1));
      const kept = inner.length === 0 ? undefined : prune(member, inner);
      return kept === undefined ? [] : [kept];
    });
    return members.length === 0 ? undefined : { L: members };
  }
  return undefined;
}
