/** Mappings that were made through the API: they outlive a restart, as the template's do. */
import type { Storage } from '#local/contracts';
import type { MappingProperties } from './mapping-settings.ts';

export interface MadeMappings {
  save(uuid: string, properties: MappingProperties): void;
  remove(uuid: string): void;
  list(): readonly { readonly uuid: string; readonly properties: MappingProperties }[];
}

export function madeMappings(storage: Storage): MadeMappings {
  storage.exec(`CREATE TABLE IF NOT EXISTS mapping_made (
    uuid TEXT PRIMARY KEY, properties TEXT NOT NULL) WITHOUT ROWID`);
  const put = storage.prepare('INSERT OR REPLACE INTO mapping_made VALUES (?, ?)');
  const remove = storage.prepare('DELETE FROM mapping_made WHERE uuid = ?');
  const all = storage.prepare('SELECT uuid, properties FROM mapping_made');
  return {
    save: (uuid, properties) => void put.run(uuid, JSON.stringify(properties)),
    remove: (uuid) => void remove.run(uuid),
    list: () =>
      all.all().map(({ uuid, properties }) => ({
        uuid: String(uuid),
        properties: JSON.parse(String(properties)) as MappingProperties,
      })),
  };
}
