/** datasette, polled by the pipeline of examples/sources while others write into its SQLite file. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { loopbackAws } from './loopback-aws.ts';
import { plainOf, sourceRows, tableRows } from './plain-rows.ts';
import { polledPipeline } from './polled-pipeline.ts';
import { realServer } from './real-server.ts';

const PROGRAM = process.env['PENSTOCK_DATASETTE'] || 'datasette';
const ROWS = 60;
const CHANGES = 30;

/** The first number that a double does not hold. */
const FIRST_ID = 9_007_199_254_740_993n;

/** A sentence where there is none; undefined where it runs. */
function lack(): string | undefined {
  const { error, status, stderr } = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' });
  if (error) return `no ${PROGRAM} here (pip install datasette, or name it in PENSTOCK_DATASETTE)`;
  return status === 0 ? undefined : `${PROGRAM} does not run: ${stderr.trim().split('\n').at(-1)}`;
}

function plant() {
  const directory = mkdtempSync(join(tmpdir(), 'penstock-datasette-'));
  // A commit waits for whoever reads.
  const database = new DatabaseSync(join(directory, 'plant.db'), { timeout: 60_000 });
  onTestFinished(() => {
    database.close();
    rmSync(directory, { recursive: true });
  });
  database.exec(`
    CREATE TABLE readings (
      id INTEGER PRIMARY KEY, celsius REAL, updated TEXT NOT NULL, removed TEXT
    );
    CREATE INDEX readings_updated ON readings (updated);`);
  const put = database.prepare(`
    INSERT INTO readings VALUES (?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET (celsius, updated, removed) =
      (excluded.celsius, excluded.updated, excluded.removed)`);
  /** All in one transaction, and at one moment. */
  const write = (ids: readonly number[], atMs: number, isRemoved: (id: number) => boolean) => {
    const updated = new Date(atMs).toISOString();
    database.exec('BEGIN IMMEDIATE');
    for (const id of ids) {
      put.run(FIRST_ID + BigInt(id), id / 8 - (atMs % 97), updated, isRemoved(id) ? updated : null);
    }
    database.exec('COMMIT');
  };
  return { directory, write };
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

test('rows of a SQLite file that change while they are polled are in the table, digit for digit', async ({
  skip,
}) => {
  const reason = lack();
  if (reason !== undefined) skip(reason);
  const { directory, write } = plant();
  // More rows share this moment than a page holds.
  write(upTo(ROWS), Date.UTC(2026, 0, 5), () => false);
  const server = await realServer({
    command: (port) => [
      PROGRAM,
      'serve',
      'plant.db',
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
    ],
    path: '/-/versions.json',
    cwd: directory,
  });
  const url = `${server.url}/plant/readings.json`;
  const pipeline = await polledPipeline(await loopbackAws(), {
    directory: 'examples/sources/datasette/pipelines',
    name: 'readings',
    env: { READINGS_API_URL: url },
  });

  const change = async () => {
    let atMs = Date.now();
    for (let n = 0; n < CHANGES; n++) {
      atMs = Math.max(atMs + 1, Date.now());
      // From one row to more than a page of them, some of them new.
      const ids = upTo(n % 10 === 9 ? 33 : 3).map((i) => (n * 7 + i) % (ROWS + 12));
      write(ids, atMs, (id) => id % 6 === n % 6);
      // Its own turn, between two pages of the poller.
      await (
        await fetch(`${url}?_shape=array&updated__gte=${new Date(atMs).toISOString()}`)
      ).text();
    }
  };
  await pipeline.through(change());

  const answer = await fetch(`${url}?_shape=array&_size=max`);
  const truth = sourceRows(plainOf(await answer.text()), { key: 'id', mark: 'removed' });
  expect(truth.deleted.size).toBeGreaterThan(5);
  expect(truth.rows.has(String(FIRST_ID))).toBe(true);
  expect(tableRows(await pipeline.items(), 'id')).toEqual(truth);
  expect(pipeline.refused()).toEqual([]);
});
