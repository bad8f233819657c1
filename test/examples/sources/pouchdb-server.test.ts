/** pouchdb-server, polled by its change feed while documents are made, changed, deleted and made again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loopbackAws } from './loopback-aws.ts';
import { plainOf, tableRows } from './plain-rows.ts';
import type { PlainRow } from './plain-rows.ts';
import { polledPipeline } from './polled-pipeline.ts';
import { realServer } from './real-server.ts';

const PROGRAM = resolve('node_modules/pouchdb-server/bin/pouchdb-server');
const CHANGES = 100;
const NOTES = 45;
const TEXT = 'a note';

async function notes(skip: (reason: string) => never) {
  const cwd = await mkdtemp(join(tmpdir(), 'penstock-pouchdb-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const server = await realServer({
    command: (port) => [
      process.execPath,
      PROGRAM,
      '--in-memory',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
    ],
    path: '/',
    cwd,
  }).catch((error: Error) => {
    if (!error.message.includes('No native build was found')) throw error;
    return skip('no LevelDB is built for this platform, which pouchdb-server needs');
  });
  const send = async (method: string, path: string, document?: object) => {
    const body = document === undefined ? {} : { body: JSON.stringify(document) };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}/notes${path}`, { method, headers, ...body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text;
  };
  await send('PUT', '');
  return { url: `${server.url}/notes/_changes`, send };
}

type Notes = Awaited<ReturnType<typeof notes>>;

/** One in four changes of a note deletes it, for good: the next one makes it again. */
async function change({ send }: Notes, count: number): Promise<ReadonlySet<string>> {
  const revisions = new Map<string, string>();
  const ids = new Set<string>();
  for (let n = 0; n < count; n++) {
    const id = `note-${(n * 17) % NOTES}`;
    const _rev = revisions.get(id);
    ids.add(id);
    if (_rev !== undefined && n % 4 === 1) {
      await send('DELETE', `/${id}?rev=${_rev}`);
      revisions.delete(id);
    } else {
      const written_at = new Date().toISOString();
      const made = await send('PUT', `/${id}`, { _rev, text: `${TEXT} ${n}`, n, written_at });
      revisions.set(id, (JSON.parse(made) as { rev: string }).rev);
    }
  }
  return ids;
}

test('documents that are changed, deleted and made again while they are polled are in the table', async ({
  skip,
}) => {
  const server = await notes(skip);
  await server.send('PUT', '/_design/views', { views: {} });
  const pipeline = await polledPipeline(await loopbackAws(), {
    directory: 'examples/sources/pouchdb-server/pipelines',
    name: 'notes',
    env: { NOTES_CHANGES_URL: server.url },
  });
  const work = change(server, CHANGES);
  await pipeline.through(work.then(() => undefined));

  const listed = plainOf(await server.send('GET', '/_all_docs?include_docs=true'));
  const { rows } = listed as unknown as { readonly rows: readonly PlainRow[] };
  const live = rows.filter(({ id }) => id !== '_design/views');
  const gone = [...(await work)].filter((id) => live.every((row) => row['id'] !== id));
  expect(gone.length).toBeGreaterThan(5);

  const table = tableRows(await pipeline.items(), 'id');
  const docs = [...table.rows].map(([id, row]) => [id, row['doc']] as const);
  expect(new Map(docs)).toEqual(new Map(live.map(({ id, doc }) => [id, doc])));
  expect(table.deleted).toEqual(new Set(gone));
  expect(pipeline.refused()).toEqual([]);
});
