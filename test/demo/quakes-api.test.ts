import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { quakesApi } from '#demo/quakes-api';
import { askUntilOk, whileListening } from './running-server.ts';

const collectionText = readFileSync('node_modules/vega-datasets/data/earthquakes.json', 'utf8');
const QUERY = '/fdsnws/event/1/query?format=geojson&orderby=time-asc&starttime=2018-01-31';

function serverAt() {
  const real = { ms: 0 };
  return {
    real,
    server: quakesApi({ seed: 7, collectionText, seconds: 12, realMs: () => real.ms }),
  };
}
const ask = (url: string, real: { ms: number }, more = '') =>
  askUntilOk(() => {
    real.ms += 1_000;
    return fetch(`${url}${QUERY}${more}`);
  });

test('a bad parameter is a 400 in plain text', async () => {
  await whileListening(serverAt().server, async (url) => {
    const answer = await fetch(`${url}${QUERY}&offset=0`);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(await answer.text()).toContain('Bad offset value "0"');
  });
});

test('nothing newer is an empty collection, not an error', async () => {
  const { server, real } = serverAt();
  await whileListening(server, async (url) => {
    const body = await ask(url, real, '&updatedafter=2018-03-01');
    expect(body).toMatchObject({ type: 'FeatureCollection', features: [], metadata: { count: 0 } });
  });
});

test('after its seconds the whole week is there, page by page, and the truth agrees', async () => {
  const { server, real } = serverAt();
  await whileListening(server, async (url) => {
    await ask(url, real, '&limit=1');
    real.ms += 12_000;
    const read: unknown[] = [];
    for (let offset = 1; ; offset += 500) {
      const { features } = await ask(url, real, `&limit=500&offset=${offset}`);
      read.push(...(features as unknown[]));
      if ((features as unknown[]).length < 500) break;
    }
    const truth = (await (await fetch(`${url}/truth`)).json()) as Record<string, unknown>;
    expect(truth).toMatchObject({ quiet: true, rowCount: 1_707, changes: 3_414, malformed: 0 });
    expect(read).toEqual(truth['rows']);
  });
});
