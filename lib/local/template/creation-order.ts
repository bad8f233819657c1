/** Puts a template's resources in an order in which each finds what it needs. */
import type { Template } from './assembly.ts';

export interface CreationOrder {
  readonly logicalIds: readonly string[];
  /** Resources that wait for each other; empty when there is an order. */
  readonly cycle: readonly string[];
}

/** Order by Ref, Fn::GetAtt, Fn::Sub and DependsOn; what is free keeps the template's order. */
export function creationOrder(template: Template): CreationOrder {
  const resources = template.Resources ?? {};
  const needs = new Map<string, ReadonlySet<string>>();
  for (const [id, resource] of Object.entries(resources)) {
    const named = new Set([...namesIn(resource.Properties), ...[resource.DependsOn ?? []].flat()]);
    needs.set(id, new Set([...named].filter((name) => name in resources && name !== id)));
  }
  const logicalIds: string[] = [];
  const placed = new Set<string>();
  for (let before = -1; before < placed.size;) {
    before = placed.size;
    for (const [id, needed] of needs) {
      if (placed.has(id) || ![...needed].every((name) => placed.has(name))) continue;
      placed.add(id);
      logicalIds.push(id);
    }
  }
  return { logicalIds, cycle: [...needs.keys()].filter((id) => !placed.has(id)) };
}

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]) => {
    if (member === 'Ref') return [String(inner)];
    if (member === 'Fn::GetAtt')
      return [String(Array.isArray(inner) ? inner[0] : inner).split('.')[0] ?? ''];
    if (member === 'Fn::Sub') {
      const template = String(Array.isArray(inner) ? inner[0] : inner);
      const named = [...template.matchAll(/\$\{([^!}.]+)/g)].map((match) => match[1] ?? '');
      return [...named, ...(Array.isArray(inner) ? namesIn(inner[1]) : [])];
    }
    return namesIn(inner);
  });
}
