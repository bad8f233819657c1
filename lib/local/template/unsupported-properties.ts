/** Finds what a resource asks for that its local counterpart does not do. */

export interface KnownProperties {
  /** Dotted paths; each covers everything below it. Lists are looked through. */
  readonly implemented: readonly string[];
  /** Accepted, without behaviour here. */
  readonly inert: readonly string[];
}

/** Paths of properties that are neither implemented nor inert, dotted. */
export function unsupportedProperties(
  properties: Readonly<Record<string, unknown>>,
  known: KnownProperties,
): readonly string[] {
  const listed = [...known.implemented, ...known.inert];
  const visit = (value: unknown, path: string): readonly string[] => {
    if (listed.includes(path)) return [];
    const inside = listed.some((other) => other.startsWith(`${path}.`));
    if (!inside || typeof value !== 'object' || value === null) return [path];
    const entries = Array.isArray(value) ? value : [value];
    return entries.flatMap((entry) =>
      Object.entries(entry as object).flatMap(([name, inner]) => visit(inner, `${path}.${name}`)),
    );
  };
  const paths = Object.entries(properties).flatMap(([name, value]) => visit(value, name));
  return [...new Set(paths)];
}
