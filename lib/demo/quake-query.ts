/** The fdsnws-event query: its parameters, its limits, its errors. */
import type { Quake } from './quake-feed.ts';

export interface QuakeQuery {
  readonly startMs: number;
  readonly endMs: number;
  /** Exclusive. */
  readonly updatedAfterMs: number;
  readonly orderBy: OrderBy;
  readonly limit: number;
  /** From 1. */
  readonly offset: number;
}

const ORDERS = ['time', 'time-asc', 'magnitude', 'magnitude-asc'] as const;
type OrderBy = (typeof ORDERS)[number];

/** @source earthquake.usgs.gov/fdsnws/event/1/: limit 1–20000, offset from 1, default 30 days. */
const LIMIT_MAX = 20_000;
const DEFAULT_SPAN_MS = 30 * 86_400_000;
const KNOWN = ['format', 'starttime', 'endtime', 'updatedafter', 'orderby', 'limit', 'offset'];

/** Read the parameters; a text says what the service would complain of. */
export function parseQuakeQuery(query: URLSearchParams, nowMs: number): QuakeQuery | string {
  const unknown = [...query.keys()].find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) return `Unknown parameter "${unknown}".`;
  const format = query.get('format') ?? 'quakeml';
  if (format !== 'geojson') return `Bad format value "${format}". Valid values are: "geojson".`;

  const order = query.get('orderby') ?? 'time';
  const orderBy = ORDERS.find((known) => known === order);
  if (orderBy === undefined) {
    return `Bad orderby value "${order}". Valid values are: "${ORDERS.join('", "')}".`;
  }
  const startMs = timeOf(query, 'starttime', nowMs - DEFAULT_SPAN_MS);
  const endMs = timeOf(query, 'endtime', Infinity);
  const updatedAfterMs = timeOf(query, 'updatedafter', -Infinity);
  const limit = wholeOf(query, 'limit', { least: 1, most: LIMIT_MAX, otherwise: LIMIT_MAX });
  const offset = wholeOf(query, 'offset', { least: 1, most: Infinity, otherwise: 1 });
  const complaint = [startMs, endMs, updatedAfterMs, limit, offset].find(
    (value) => typeof value === 'string',
  );
  if (complaint !== undefined) return complaint;
  return { startMs, endMs, updatedAfterMs, orderBy, limit, offset } as QuakeQuery;
}

function timeOf(query: URLSearchParams, name: string, otherwise: number): number | string {
  const text = query.get(name);
  if (text === null) return otherwise;
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text) || !text.includes('T') ? text : `${text}Z`;
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(zoned) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  return `Bad ${name} value "${text}". Valid values are ISO-8601 timestamps.`;
}

function wholeOf(
  query: URLSearchParams,
  name: string,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number | string {
  const text = query.get(name);
  if (text === null) return otherwise;
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  return `Bad ${name} value "${text}". Valid values are integers from ${least}.`;
}

/** Choose, order and cut the events, which come in the order of their time. */
export function selectQuakes(quakes: readonly Quake[], query: QuakeQuery): readonly Quake[] {
  const chosen = quakes.filter(
    ({ timeMs, updatedMs }) =>
      timeMs >= query.startMs && timeMs <= query.endMs && updatedMs > query.updatedAfterMs,
  );
  const magnitude = (quake: Quake): number => quake.magnitude ?? -Infinity;
  if (query.orderBy.startsWith('magnitude')) {
    chosen.sort((one, other) => magnitude(one) - magnitude(other));
  }
  if (!query.orderBy.endsWith('-asc')) chosen.reverse();
  return chosen.slice(query.offset - 1, query.offset - 1 + query.limit);
}

/** The body of a 400 as the service writes it. */
export function badRequestText(complaint: string, request: string): string {
  return [
    'Error 400: Bad Request',
    complaint,
    'Usage details are available from https://earthquake.usgs.gov/fdsnws/event/1',
    `Request:\n${request}`,
  ].join('\n\n');
}
