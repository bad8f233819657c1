/** A record's key: the paths of its parts, and the names that tables give them. */
import type { RecordSettings } from './pipeline-settings.ts';

/** One dot path, or two. */
type KeyPaths = RecordSettings['key'];

export function keyPaths(key: KeyPaths): readonly string[] {
  return typeof key === 'string' ? [key] : key;
}

/**
 * Name the key's attributes: the partition key's, and the sort key's where there are two paths.
 *
 * @example keyNames(['tenant.id', 'order_id']); // ['id', 'order_id']
 */
export function keyNames(key: KeyPaths): readonly string[] {
  return keyPaths(key).map((path) => path.split('.').at(-1) ?? path);
}
