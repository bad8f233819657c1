/** Secrets and their versions in the cloud's database. */
import type { Storage } from '#local/contracts';

export interface Secret {
  readonly name: string;
  readonly arn: string;
  readonly createdMs: number;
  readonly description?: string;
  /** When it is really gone; until then it can be restored. */
  readonly deletedMs?: number;
}

export interface SecretVersion {
  readonly versionId: string;
  /** None: it is deprecated, and can still be got by its id. */
  readonly stages: readonly string[];
  readonly secretString: string | undefined;
  /** Base64. */
  readonly secretBinary: string | undefined;
  readonly createdMs: number;
}

export interface SecretStore {
  /** Adds it, or changes what is said of it. */
  put(secret: Secret): void;
  /** By name, by ARN, or by an ARN without its random ending. */
  find(id: string): Secret | undefined;
  all(): readonly Secret[];
  remove(name: string): void;
  versions(name: string): readonly SecretVersion[];
  replaceVersions(name: string, versions: readonly SecretVersion[]): void;
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS secrets (
    name TEXT PRIMARY KEY, arn TEXT NOT NULL, created_ms INTEGER NOT NULL, versions TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS secret_details (
    name TEXT PRIMARY KEY, description TEXT, deleted_ms INTEGER
  ) STRICT;`;

const SELECT = 'SELECT * FROM secrets LEFT JOIN secret_details USING (name)';

export function openSecretStore(storage: Storage): SecretStore {
  storage.exec(TABLES);
  const insert = storage.prepare("INSERT OR IGNORE INTO secrets VALUES (?, ?, ?, '[]')");
  const detail = storage.prepare('INSERT OR REPLACE INTO secret_details VALUES (?, ?, ?)');
  const select = storage.prepare(
    `${SELECT} WHERE name = ?1 OR arn = ?1 OR substr(arn, 1, length(arn) - 7) = ?1
     ORDER BY name LIMIT 1`,
  );
  const selectAll = storage.prepare(`${SELECT} ORDER BY name`);
  const remove = storage.prepare('DELETE FROM secrets WHERE name = ?');
  const removeDetail = storage.prepare('DELETE FROM secret_details WHERE name = ?');
  const selectVersions = storage.prepare('SELECT versions FROM secrets WHERE name = ?');
  const update = storage.prepare('UPDATE secrets SET versions = ? WHERE name = ?');
  return {
    put({ name, arn, createdMs, description = null, deletedMs = null }) {
      insert.run(name, arn, createdMs);
      detail.run(name, description, deletedMs);
    },
    find(id) {
      const row = select.get(id);
      return row === undefined ? undefined : toSecret(row);
    },
    all: () => selectAll.all().map(toSecret),
    remove(name) {
      remove.run(name);
      removeDetail.run(name);
    },
    versions: (name) =>
      JSON.parse(String(selectVersions.get(name)?.['versions'] ?? '[]')) as SecretVersion[],
    replaceVersions: (name, versions) => void update.run(JSON.stringify(versions), name),
  };
}

function toSecret(row: Record<string, unknown>): Secret {
  const { name, arn, created_ms, description, deleted_ms } = row;
  return {
    name: String(name),
    arn: String(arn),
    createdMs: Number(created_ms),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof deleted_ms === 'number' ? { deletedMs: deleted_ms } : {}),
  };
}
