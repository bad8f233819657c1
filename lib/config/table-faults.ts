/** Checks the names that a table's items would have: the key's, ours, and those that members are given. */
import type { Fault } from './faults.ts';
import type { RecordSettings, TableConsumerSettings } from './pipeline-settings.ts';
import { keyNames, keyPaths } from './record-key.ts';

/** Attributes that a table's items hold beside the record's own. */
const OWN_ATTRIBUTES = new Set([
  '_version',
  '_observed',
  '_event_id',
  '_shape',
  '_deleted',
  '_expires',
  '_first_seen',
  '_updated',
]);

/** @returns faults below the pipeline file. */
export function keyFaults({ key }: RecordSettings): readonly Fault[] {
  const names = keyNames(key);
  const path = ['record', 'key'];
  const ours = names.find((name) => OWN_ATTRIBUTES.has(name));
  if (ours !== undefined) return [{ path, message: ownName(ours) }];
  if (new Set(names).size === names.length) return [];
  const message = `both paths end in '${names[0]}', and a table's two keys have two names`;
  return [{ path, message }];
}

/** @returns faults below the consumer. */
export function attributeFaults(
  { attributes }: TableConsumerSettings,
  { key }: RecordSettings,
): readonly Fault[] {
  const keys = new Set(keyNames(key));
  const keyMembers = new Set(keyPaths(key).filter((path) => !path.includes('.')));
  const taken = new Map<string, string>();
  return Object.entries(attributes).flatMap(([member, name]) => {
    const fault = (message: string) => [{ path: ['attributes', member], message }];
    if (keyMembers.has(member)) return fault("is the table's key, which keeps its name");
    if (name === false) return [];
    if (OWN_ATTRIBUTES.has(name)) return fault(ownName(name));
    if (keys.has(name)) return fault(`'${name}' is the name of the table's key`);
    const other = taken.get(name);
    if (other !== undefined) return fault(`'${name}' is already the new name of '${other}'`);
    taken.set(name, member);
    return [];
  });
}

function ownName(name: string): string {
  return `'${name}' is an attribute that Penstock writes itself`;
}
