/** Keys are no documents: a path that goes into one is refused. */
import type { ResolvedPath } from './expression/paths.ts';
import { keyNames } from './keys.ts';
import { invalid } from './refusal.ts';
import type { Table } from './table-store.ts';

/** @throws {ServiceError} for a path below a key attribute of the table or of an index. */
export function refuseNestedKeys(table: Table, paths: readonly ResolvedPath[]): void {
  const nested = paths.filter((path) => path.length > 1).map(([name]) => String(name));
  if (nested.length === 0) return;
  const keys = keyNames(table);
  const refuse = (kind: string, name: string) =>
    invalid(
      `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${kind}: ${name}`,
    );
  for (const name of nested) if (keys.includes(name)) throw refuse('Key', name);
  for (const index of table.indexes) {
    for (const name of nested) if (keyNames(index).includes(name)) throw refuse('IndexKey', name);
  }
}
