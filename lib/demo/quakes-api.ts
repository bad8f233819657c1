/** The earthquake service of the demo, a process of its own: a week replayed in seconds. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { parseArgs } from 'node:util';
import { json } from './answer.ts';
import type { Answer } from './answer.ts';
import { planFaults } from './faults.ts';
import { quakeFeed } from './quake-feed.ts';
import type { QuakeFeed } from './quake-feed.ts';
import { badRequestText, parseQuakeQuery, selectQuakes } from './quake-query.ts';
import { demoServer, runDemoProcess } from './serve.ts';
import { virtualClock } from './virtual-clock.ts';

export interface QuakesApiOptions {
  readonly seed: number;
  /** A GeoJSON FeatureCollection of the service. */
  readonly collectionText: string;
  /** Real seconds that the whole week takes. */
  readonly seconds: number;
  readonly realMs: () => number;
}

const PATH = '/fdsnws/event/1/query';

/** Make the server; it does not listen yet. */
export function quakesApi({ seed, collectionText, seconds, realMs }: QuakesApiOptions): Server {
  const feed = quakeFeed(collectionText);
  const speed = (feed.endMs - feed.startMs) / (seconds * 1000);
  return demoServer({
    clock: virtualClock({ startMs: feed.startMs, speed, realMs }),
    decideFault: planFaults(seed + 1),
    realMs,
    source: {
      path: PATH,
      admit: () => undefined,
      answer: (url, nowMs) => answerQuery(url, nowMs, feed),
      truth: (nowMs) => ({
        quiet: nowMs >= feed.endMs,
        changes: feed.versionsAt(nowMs),
        changesPlanned: feed.versions,
        malformed: 0,
        rows: feed.at(nowMs).map(({ text }) => text),
      }),
    },
  });
}

function answerQuery(url: URL, nowMs: number, feed: QuakeFeed): Answer {
  const query = parseQuakeQuery(url.searchParams, nowMs);
  if (typeof query === 'string') {
    const body = badRequestText(query, `${url.pathname}${url.search}`);
    return { status: 400, type: 'text/plain', body };
  }
  const quakes = selectQuakes(feed.at(nowMs), query);
  const metadata = JSON.stringify({
    generated: Math.floor(nowMs),
    title: 'USGS Earthquakes',
    status: 200,
    api: '1.14.1',
    limit: query.limit,
    offset: query.offset,
    count: quakes.length,
  });
  const features = quakes.map(({ text }) => text).join(',');
  return json(`{"type":"FeatureCollection","metadata":${metadata},"features":[${features}]}`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      seed: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '12' },
      file: { type: 'string', default: 'node_modules/vega-datasets/data/earthquakes.json' },
    },
  });
  const server = quakesApi({
    seed: Number(values.seed),
    collectionText: readFileSync(values.file, 'utf8'),
    seconds: Number(values.seconds),
    realMs: () => performance.now(),
  });
  runDemoProcess(server, Number(values.port));
}
