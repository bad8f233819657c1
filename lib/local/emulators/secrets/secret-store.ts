/** Secrets and their versions in the cloud's database. */
import type { Storage } from '#local/contracts';

export interface Secret {
  readonly name: string;
  readonly arn: string;
  readonly createdMs: number;
}

export interface SecretVersion {
  readonly versionId: string;
  readonly stages: readonly string[];
  readonly secretString: string | undefined;
  /** Base64. */
  readonly secretBinary: string | undefined;
  readonly createdMs: number;
}

export interface SecretStore {
  add(secret: Secret): void;
  /** By name, by ARN, or by an ARN without its random ending. */
  find(id: string): Secret | undefined;
  all(): readonly Secret[];
  versions(name: string): readonly SecretVersion[];
  replaceVersions(name: string, versions: readonly SecretVersion[]): void;
}

const TABLE = `CREATE TABLE IF NOT EXISTS secrets (
  name TEXT PRIMARY KEY, arn TEXT NOT NULL, created_ms INTEGER NOT NULL, versions TEXT NOT NULL
) STRICT;`;

export function openSecretStore(storage: Storage): SecretStore {
  storage.exec(TABLE);
  const insert = storage.prepare("INSERT INTO secrets VALUES (?, ?, ?, '[]')");
  const select = storage.prepare(
    `SELECT * FROM secrets WHERE name = ?1 OR arn = ?1
     OR substr(arn, 1, length(arn) - 7) = ?1 ORDER BY name LIMIT 1`,
  );
  const selectAll = storage.prepare('SELECT * FROM secrets ORDER BY name');
  const selectVersions = storage.prepare('SELECT versions FROM secrets WHERE name = ?');
  const update = storage.prepare('UPDATE secrets SET versions = ? WHERE name = ?');
  return {
    add: ({ name, arn, createdMs }) => void insert.run(name, arn, createdMs),
    find(id) {
      const row = select.get(id);
      return row === undefined ? undefined : toSecret(row);
    },
    all: () => selectAll.all().map(toSecret),
    versions: (name) =>
      JSON.parse(String(selectVersions.get(name)?.['versions'] ?? '[]')) as SecretVersion[],
    replaceVersions: (name, versions) => void update.run(JSON.stringify(versions), name),
  };
}

function toSecret(row: Record<string, unknown>): Secret {
  return {
    name: String(row['name']),
    arn: String(row['arn']),
    createdMs: Number(row['created_ms']),
  };
}
