/** An API that nobody here has polled before: tickets that change while they are read. */
import { serve } from '#test/adapters/http/scripted-server';

export interface Ticket {
  readonly ticket_id: string;
  readonly updated_at: string;
  readonly revision: number;
  readonly closed_at: string | null;
}

export interface TicketsSource {
  readonly url: string;
  readonly rows: ReadonlyMap<string, Ticket>;
  /** What it was asked for, request by request. */
  readonly asked: readonly URLSearchParams[];
  /** Create or change a ticket; the source's clock goes on a second with every seventh change. */
  change(id: string, closed?: boolean): void;
  /** Answer nothing but this status from now on; undefined: answer as ever. */
  answerWith(status: number | undefined): void;
  /** Serve a row as it is, among the others; answers what is served. */
  serve(members: Readonly<Record<string, string>>): Row;
}

type Row = Readonly<Record<string, string>> & Pick<Ticket, 'updated_at'>;

export const TICKETS_TOKEN = 'a-token-for-tickets';
const START_MS = Date.parse('2031-05-07T00:00:00Z');

/** Serve tickets on loopback until the test is over; an open source asks for no token. */
export async function ticketsSource({ isOpen = false } = {}): Promise<TicketsSource> {
  const rows = new Map<string, Ticket>();
  const others: Row[] = [];
  const asked: URLSearchParams[] = [];
  let changes = 0;
  let refusal: number | undefined;
  const nowMs = () => START_MS + Math.floor(changes / 7) * 1000;

  const { url } = await serve((response, _at, request) => {
    response.setHeader('date', new Date(nowMs() + 60_000).toUTCString());
    if (refusal !== undefined) {
      response.writeHead(refusal).end();
      return;
    }
    if (!isOpen && request.headers.authorization !== `Bearer ${TICKETS_TOKEN}`) {
      response.writeHead(401).end();
      return;
    }
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    asked.push(searchParams);
    const since = Date.parse(searchParams.get('since') ?? '1970-01-01T00:00:00Z');
    const before = Date.parse(searchParams.get('before') ?? '9999-01-01T00:00:00Z');
    const after = searchParams.get('page') ?? '';
    const size = Number(searchParams.get('size'));
    const found = [...rows.values(), ...others]
      .filter((row) => isIn(row, since, before) && place(row) > after)
      .toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
    const page = found.slice(0, size);
    const last = page.at(-1);
    const next = found.length > size && last ? place(last) : null;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ tickets: page, links: { next } }));
  });
  return {
    url: `${url}/tickets`,
    rows,
    asked,
    change(id, closed = false) {
      const updated_at = new Date(nowMs()).toISOString();
      const revision = (rows.get(id)?.revision ?? 0) + 1;
      rows.set(id, { ticket_id: id, updated_at, revision, closed_at: closed ? updated_at : null });
      changes++;
    },
    answerWith: (status) => void (refusal = status),
    serve(members) {
      const row = { ...members, updated_at: new Date(nowMs()).toISOString() };
      others.push(row);
      changes++;
      return row;
    },
  };
}

/** Change `count` of 210 tickets in turn, closing some. */
export function fill(source: TicketsSource, from: number, count: number): void {
  for (let i = from; i < from + count; i++) source.change(`ticket-${i % 210}`, i % 23 === 0);
}

const isIn = (row: Row | Ticket, sinceMs: number, beforeMs: number) =>
  Date.parse(row.updated_at) >= sinceMs && Date.parse(row.updated_at) < beforeMs;

/** Short, whatever the row holds: it becomes a page token. */
const place = (row: Ticket | Row) => `${row.updated_at} ${(row.ticket_id ?? '').slice(0, 40)}`;

/** The one file that a stranger writes. */
export const TICKETS_FILE = `
import { definePipeline } from '#config/define-pipeline';

export default definePipeline({
  name: 'tickets',
  source: {
    url: { env: 'TICKETS_API_URL' },
    auth: { kind: 'bearer', secret: 'tickets-api-token' },
    records: 'tickets',
    pagination: { kind: 'cursor', param: 'page', next: 'links.next' },
    incremental: { param: 'since', field: 'updated_at', horizonSec: 2 },
    pageSize: { param: 'size', value: 40 },
    deleted: { field: 'closed_at' },
    timeoutSec: 2,
  },
  schedule: { everyMinutes: 1 },
  record: { key: 'ticket_id', version: 'updated_at', eventTime: 'updated_at' },
  stream: { load: { recordsPerSecPeak: 50, recordBytesMean: 900 } },
  consumers: [{ kind: 'table', name: 'tickets' }],
});
`;
