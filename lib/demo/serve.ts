/** What all demo sources share: faults, checked waits, counts, the life of a process. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faultAnswer, json, sendAnswer, slowDown } from './answer.ts';
import type { Answer } from './answer.ts';
import type { DecideFault } from './faults.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface RequestCounts {
  answered: number;
  /** Told to wait. */
  waits: number;
  /** Came back before the wait they were told was over. */
  tooEarly: number;
  unavailable: number;
  dropped: number;
  refused: number;
}

/** How a source stands at a moment, for who watches and who judges. */
export interface Truth {
  /** Nothing changes any more. */
  readonly quiet: boolean;
  readonly changes: number;
  readonly changesPlanned: number;
  /** Records that can never succeed. */
  readonly malformed: number;
  /** Every other record in its newest state, deleted ones included, each as JSON. */
  readonly rows: readonly string[];
}

export interface DemoSource {
  readonly path: string;
  /** Undefined lets the request in; an answer turns it away, uncounted by the faults. */
  admit(request: IncomingMessage): Answer | undefined;
  answer(url: URL, nowMs: number): Answer;
  truth(nowMs: number): Truth;
}

export interface ServeOptions {
  readonly source: DemoSource;
  readonly clock: VirtualClock;
  readonly decideFault: DecideFault;
  readonly realMs: () => number;
}

/** Every wait a demo source asks for, in real ms: its dates lie one virtual second ahead. */
const WAIT_MS = 1000;
/** Timers of a client may fire this much before their time. */
const TIMER_GRACE_MS = 25;

/** Longer than anybody rests between two requests: what is sent on a connection just closed is lost. */
const KEEP_ALIVE_MS = 65_000;

/** Make the server; the clock starts with the first request that is let in. */
export function demoServer({ source, clock, decideFault, realMs }: ServeOptions): Server {
  const counts: RequestCounts = {
    answered: 0,
    waits: 0,
    tooEarly: 0,
    unavailable: 0,
    dropped: 0,
    refused: 0,
  };
  let requestNumber = 0;
  let notBefore = -Infinity;

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://source.invalid');
    const nowMs = clock.nowMs();
    const send = (answer: Answer, cut = false): void =>
      sendAnswer(response, { answer, nowMs, cut });

    if (url.pathname === '/truth') {
      const withRows = url.searchParams.get('rows') !== 'none';
      return send(json(truthText(source.truth(nowMs), counts, withRows)));
    }
    if (url.pathname !== source.path) {
      return send({ status: 404, type: 'text/plain', body: 'Not Found' });
    }
    const turnedAway = source.admit(request);
    if (turnedAway !== undefined) {
      counts.refused += 1;
      return send(turnedAway);
    }
    if (realMs() < notBefore - TIMER_GRACE_MS) {
      counts.tooEarly += 1;
      return send(slowDown('1'));
    }
    clock.start();
    const fault = decideFault(requestNumber);
    requestNumber += 1;
    if (fault === 'wait-seconds' || fault === 'wait-date') {
      counts.waits += 1;
      notBefore = realMs() + WAIT_MS;
    }
    if (fault === 'unavailable') counts.unavailable += 1;
    const broken = fault === undefined ? undefined : faultAnswer(fault, nowMs);
    if (broken !== undefined) return send(broken);
    const answer = source.answer(url, nowMs);
    if (answer.status >= 400) counts.refused += 1;
    else if (fault === 'dropped') counts.dropped += 1;
    else counts.answered += 1;
    send(answer, fault === 'dropped');
  };
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, handle);
}

function truthText({ rows, ...truth }: Truth, requests: RequestCounts, withRows: boolean): string {
  const head = JSON.stringify({ ...truth, rowCount: rows.length, requests });
  return `${head.slice(0, -1)},"rows":[${withRows ? rows.join(',') : ''}]}`;
}

/** Listen on loopback, say where in one line of JSON, and end when the parent has gone. */
export function runDemoProcess(server: Server, port: number): void {
  const end = (): void => {
    server.close();
    server.closeAllConnections();
    process.stdin.destroy();
  };
  process.stdin.on('end', end).on('error', end).resume();
  process.once('disconnect', end).once('SIGTERM', end).once('SIGINT', end);
  server.on('error', (error) => {
    process.stderr.write(`The demo source cannot listen on port ${port}: ${error.message}\n`);
    process.exitCode = 1;
    end();
  });
  server.listen(port, '127.0.0.1', () => {
    const { port: taken } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${taken}` })}\n`);
  });
}
