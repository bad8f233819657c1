import { expect, test } from 'vitest';
import type { Quake } from '#demo/quake-feed';
import { badRequestText, parseQuakeQuery, selectQuakes } from '#demo/quake-query';
import type { QuakeQuery } from '#demo/quake-query';

const NOW = Date.UTC(2018, 1, 3);
const parse = (text: string) => parseQuakeQuery(new URLSearchParams(text), NOW);
const quake = (id: string, timeMs: number, updatedMs: number, magnitude: number | null): Quake => ({
  id,
  timeMs,
  updatedMs,
  magnitude,
  text: '{}',
});
const QUAKES = [
  quake('a', 10, 11, 2),
  quake('b', 20, 45, null),
  quake('c', 30, 32, 5),
  quake('d', 40, 41, 1),
];
const ALL: QuakeQuery = {
  startMs: -Infinity,
  endMs: Infinity,
  updatedAfterMs: -Infinity,
  orderBy: 'time-asc',
  limit: 20_000,
  offset: 1,
};
const ids = (query: Partial<QuakeQuery>) =>
  selectQuakes(QUAKES, { ...ALL, ...query }).map(({ id }) => id);

test('the service’s defaults apply: newest first, the last 30 days, 20,000 events', () => {
  expect(parse('format=geojson')).toEqual({
    startMs: NOW - 30 * 86_400_000,
    endMs: Infinity,
    updatedAfterMs: -Infinity,
    orderBy: 'time',
    limit: 20_000,
    offset: 1,
  });
});

test('times are read as UTC unless they name a zone', () => {
  const at = (text: string) =>
    (parse(`format=geojson&updatedafter=${encodeURIComponent(text)}`) as QuakeQuery).updatedAfterMs;
  expect(at('2018-02-01')).toBe(Date.UTC(2018, 1, 1));
  expect(at('2018-02-01T06:30:00')).toBe(Date.UTC(2018, 1, 1, 6, 30));
  expect(at('2018-02-01T06:30:00.250Z')).toBe(Date.UTC(2018, 1, 1, 6, 30, 0, 250));
  expect(at('2018-02-01T06:30:00+02:00')).toBe(Date.UTC(2018, 1, 1, 4, 30));
});

test.each([
  ['', 'Bad format value "quakeml". Valid values are: "geojson".'],
  ['format=geojson&offset=0', 'Bad offset value "0". Valid values are integers from 1.'],
  ['format=geojson&limit=20001', 'Bad limit value "20001". Valid values are integers from 1.'],
  ['format=geojson&limit=1e3', 'Bad limit value "1e3". Valid values are integers from 1.'],
  [
    'format=geojson&starttime=soon',
    'Bad starttime value "soon". Valid values are ISO-8601 timestamps.',
  ],
  [
    'format=geojson&orderby=depth',
    'Bad orderby value "depth". Valid values are: "time", "time-asc", "magnitude", "magnitude-asc".',
  ],
  ['format=geojson&updated_after=2018-02-01', 'Unknown parameter "updated_after".'],
])('%s is refused', (text, complaint) => {
  expect(parse(text)).toBe(complaint);
});

test('updatedafter leaves out an event updated at exactly that moment', () => {
  expect(ids({ updatedAfterMs: 32 })).toEqual(['b', 'd']);
  expect(ids({ updatedAfterMs: 31 })).toEqual(['b', 'c', 'd']);
});

test('starttime and endtime take their own moment in', () => {
  expect(ids({ startMs: 20, endMs: 30 })).toEqual(['b', 'c']);
});

test('offset counts from one, after the order', () => {
  expect(ids({ offset: 2, limit: 2 })).toEqual(['b', 'c']);
  expect(ids({ offset: 2, limit: 2, orderBy: 'time' })).toEqual(['c', 'b']);
  expect(ids({ offset: 5 })).toEqual([]);
});

test('an event without magnitude is the smallest', () => {
  expect(ids({ orderBy: 'magnitude-asc' })).toEqual(['b', 'd', 'a', 'c']);
  expect(ids({ orderBy: 'magnitude' })).toEqual(['c', 'a', 'd', 'b']);
});

test('a refusal repeats the request', () => {
  expect(badRequestText('Bad offset value "0".', '/fdsnws/event/1/query?offset=0')).toBe(
    'Error 400: Bad Request\n\nBad offset value "0".\n\n' +
      'Usage details are available from https://earthquake.usgs.gov/fdsnws/event/1\n\n' +
      'Request:\n/fdsnws/event/1/query?offset=0',
  );
});
