/** Gives the members of a record the names that a consumer keeps them by. */
import type { JsonObject, JsonValue } from './json.ts';

/** By a member's name: its new name, or false to leave it out. */
export type MemberNames = Readonly<Record<string, string | false>>;

export type RenameOutcome =
  | { readonly kind: 'renamed'; readonly record: JsonObject }
  /** Two members of this record would have one name. */
  | { readonly kind: 'clash'; readonly name: string };

/**
 * Rename or leave out members on top; what a record does not hold is not missed.
 *
 * @example renameMembers({ id: 7, note: '' }, { id: 'number', note: false }); // record: { number: 7 }
 */
export function renameMembers(record: JsonObject, names: MemberNames): RenameOutcome {
  const renamed = new Map<string, JsonValue>();
  for (const [member, value] of Object.entries(record)) {
    const name = Object.hasOwn(names, member) ? names[member] : member;
    if (name === false || name === undefined || value === undefined) continue;
    if (renamed.has(name)) return { kind: 'clash', name };
    renamed.set(name, value);
  }
  return { kind: 'renamed', record: Object.fromEntries(renamed) };
}
