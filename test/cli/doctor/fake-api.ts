/** A real server over seeded rows: right in everything, but for one mistake at a time. */
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';

export interface FakeRow {
  readonly [member: string]: unknown;
  readonly id: unknown;
  /** ISO 8601, to the millisecond; rises from row to row. */
  readonly changed_at: unknown;
}

export interface FakeAsk {
  readonly path: string;
  readonly since: string | null;
  readonly cursor: string | null;
  readonly limit: number;
  /** Requests before this one. */
  readonly at: number;
}

export interface FakePage {
  readonly data: readonly FakeRow[];
  readonly next_cursor: string | null;
}

/** What an API may do in its own way. */
export interface FakeApi {
  /** Changes the rows before anything is asked. */
  readonly rows?: (rows: readonly FakeRow[]) => readonly FakeRow[];
  /** Whether a row is answered for a boundary. */
  readonly filter?: (row: FakeRow, since: string) => boolean;
  /** Changes what is asked. */
  readonly ask?: (ask: FakeAsk) => FakeAsk;
  /** Changes what is answered; a text is the body itself. */
  readonly page?: (page: FakePage, ask: FakeAsk) => unknown;
  /** Answers by itself, if it says so. */
  readonly respond?: (response: ServerResponse, ask: FakeAsk) => boolean;
}

export const FAKE_TOKEN = 'fake-5c1e';
const FAKE_ROWS = 40;
const DAY_MS = 86_400_000;

export function fakeApi(seed: number, api: FakeApi = {}): Server {
  const rows = (api.rows ?? ((same) => same))(seededRows(seed));
  let requests = 0;
  return createServer((request, response) => {
    const { pathname: path, searchParams: query } = new URL(
      request.url ?? '/',
      'http://fake.invalid',
    );
    const ask = (api.ask ?? ((same) => same))({
      path,
      since: query.get('since') ?? query.get('updated_since'),
      cursor: query.get('cursor'),
      limit: Number(query.get('limit') ?? 1_000),
      at: requests++,
    });
    response.setHeader('content-type', 'application/json');
    if (request.headers.authorization !== `Bearer ${FAKE_TOKEN}`) {
      response.writeHead(401).end('{}');
      return;
    }
    if (api.respond?.(response, ask) === true) return;
    const page = pageOf(rows, ask, api.filter ?? fromBoundary);
    const body = api.page === undefined ? page : api.page(page, ask);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

const fromBoundary = (row: FakeRow, since: string) =>
  Date.parse(String(row.changed_at)) >= Date.parse(since);

function pageOf(
  rows: readonly FakeRow[],
  { since, cursor, limit }: FakeAsk,
  filter: NonNullable<FakeApi['filter']>,
): FakePage {
  const chosen = since === null ? rows : rows.filter((row) => filter(row, since));
  const from = Number(cursor ?? 0);
  const to = from + limit;
  return { data: chosen.slice(from, to), next_cursor: to < chosen.length ? String(to) : null };
}

/** Of ten days ago: changed some seconds apart, to the millisecond. */
export function seededRows(seed: number): readonly FakeRow[] {
  let state = seed;
  let changedMs = Date.now() - 10 * DAY_MS;
  const draw = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  return Array.from({ length: FAKE_ROWS }, (_, at) => {
    changedMs += 2_000 + draw(60_000);
    return {
      id: `row-${at}-${draw(1_000)}`,
      changed_at: new Date(changedMs).toISOString(),
      revision: 1 + draw(1_000),
      happened_ms: changedMs - draw(DAY_MS),
      removed: draw(10) === 0,
      total: 0.5 + draw(100),
    };
  });
}
