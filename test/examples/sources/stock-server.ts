/** json-server with a stock of items, which can be changed while somebody polls it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { plainOf, sourceRows } from './plain-rows.ts';
import type { Rows } from './plain-rows.ts';
import { realServer } from './real-server.ts';

const PROGRAM = resolve('node_modules/json-server/lib/cli/bin.js');
const ROWS = 132;
/** Divides the rows: each is changed in one lane alone. */
const LANES = 4;

export interface StockServer {
  readonly url: string;
  /** Make new rows, count others anew, delete some by a mark: `count` changes, some side by side. */
  change(count: number): Promise<void>;
  /** Make a row that lives, as of a time of its own. */
  make(id: string, updatedAt: string): Promise<void>;
  /** Delete a row for good. */
  remove(id: string): Promise<void>;
  /** What the server lists. */
  truth(): Promise<Rows>;
}

export interface StockAsk {
  /** A middleware of json-server: path of its file. */
  readonly guard?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What each of the test's own requests carries. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>;
}

const idOf = (n: number) => `item-${String(n % ROWS).padStart(3, '0')}`;

/** Ten rows share each moment, and each has a number that is more than doubles tell apart. */
function seed(): string {
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const updated_at = new Date(Date.UTC(2026, 0, 5, 0, 0, Math.floor(n / 10))).toISOString();
    return `{"id":"${idOf(n)}","count":${n},"serial":${9_007_199_254_740_993n + BigInt(n)},
      "updated_at":"${updated_at}","deleted_at":null}`;
  });
  return `{"stock":[${rows.join(',')}]}`;
}

/** It ends with the test. */
export async function stockServer(ask: StockAsk = {}): Promise<StockServer> {
  const cwd = await mkdtemp(join(tmpdir(), 'penstock-json-server-'));
  // Done after the server has ended: what is registered last comes first.
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, 'db.json'), seed());
  const guard = ask.guard === undefined ? [] : ['--middlewares', resolve(ask.guard)];
  const server = await realServer({
    command: (port) => [
      process.execPath,
      PROGRAM,
      'db.json',
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
      ...guard,
    ],
    path: '/',
    cwd,
    env: ask.env,
  });

  const send = async (path: string, init: RequestInit = {}): Promise<string> => {
    const headers = { 'content-type': 'application/json', ...(await ask.headers?.()) };
    const answer = await fetch(server.url + path, { ...init, headers });
    if (!answer.ok) throw new Error(`${init.method} ${path}: ${answer.status}`);
    return answer.text();
  };
  let done = 0;
  const changeLane = async (from: number, to: number): Promise<void> => {
    let atMs = Date.now();
    for (let n = from; n < to; n += LANES) {
      atMs = Math.max(atMs + 1, Date.now());
      const { id, ...row } = changed(n, new Date(atMs).toISOString());
      const isNew = id.startsWith('new');
      const body = JSON.stringify(isNew ? { id, ...row } : row);
      await send(isNew ? '/stock' : `/stock/${id}`, { method: isNew ? 'POST' : 'PATCH', body });
    }
  };
  return {
    url: `${server.url}/stock`,
    async change(count) {
      const from = done;
      done += count;
      await Promise.all(Array.from({ length: LANES }, (_, lane) => changeLane(from + lane, done)));
    },
    async make(id, updated_at) {
      const body = JSON.stringify({ id, count: 1, updated_at, deleted_at: null });
      await send('/stock', { method: 'POST', body });
    },
    async remove(id) {
      await send(`/stock/${id}`, { method: 'DELETE' });
    },
    truth: async () => sourceRows(plainOf(await send('/stock')), { key: 'id', mark: 'deleted_at' }),
  };
}

/** What the `n`-th change makes of which row. */
function changed(n: number, updated_at: string) {
  if (n % 8 < LANES && n % 3 === 0) {
    return { id: `new-${n}`, count: n, updated_at, deleted_at: null };
  }
  return {
    id: idOf(n * 37),
    count: 1_000 + n,
    updated_at,
    deleted_at: n % 5 === 0 ? updated_at : null,
  };
}
