/** Laws of one client of a token endpoint, over random answers, lives, waits and refusals. */
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpPageSource } from '#adapters/http/page-source';
import { oauth2 } from '#adapters/http/auth/oauth2';
import { scriptedServer } from '#test/adapters/http/scripted-server';
import type { ScriptedServer } from '#test/adapters/http/scripted-server';
import { testClock } from '#test/pipeline/poll-world';
import type { TestClock } from '#test/pipeline/poll-world';
import { answerJson, tokenServer } from './token-server.ts';
import type { TokenServer } from './token-server.ts';

/** What is said beyond this is no life at all. */
const LIFE_SEC_MAX = 1e9;

type TokenScript =
  | { readonly kind: 'token'; readonly expiresIn: unknown; readonly tookMs: number }
  | { readonly kind: 'status'; readonly status: number; readonly waitSec: number | undefined }
  | { readonly kind: 'noise' }
  | { readonly kind: 'drop' };

const life = fc.oneof(
  fc.integer({ min: 1, max: 400 }),
  fc.double({ min: 0.001, max: 5, noNaN: true }),
  fc.integer({ min: 1, max: 60 }).map(String),
  fc.constantFrom(undefined, null, 0, -5, 'soon', '', 1e300, 1_900_000_000_000),
);
const script: fc.Arbitrary<TokenScript> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('token' as const),
      expiresIn: life,
      tookMs: fc.constantFrom(0, 0, 40, 3_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      status: fc.constantFrom(400, 401, 429, 500, 503),
      waitSec: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
    }),
  },
  fc.record({ kind: fc.constantFrom('noise' as const, 'drop' as const) }),
);
/** By some time, or to where the newest token is just over, or nearly. */
const advance = fc.oneof(
  fc.record({ byMs: fc.oneof(fc.nat({ max: 500 }), fc.nat({ max: 90_000 })) }),
  fc.record({ beforeEndMs: fc.constantFrom(-1, 0, 1, 5_000) }),
);
const step = fc.record({
  advance,
  pages: fc.integer({ min: 1, max: 3 }),
  revoke: fc.integer({ max: 3, min: 0 }).map((roll) => roll === 0),
});

/** What the run that is under way says of the two servers, and what they have seen. */
interface Run {
  readonly clock: TestClock;
  readonly scripts: TokenScript[];
  /** The moment from which a token is over, as its own answer had it. */
  readonly overAtMs: Map<string, number>;
  readonly revoked: Set<string>;
  quietUntilMs: number;
  early: number;
}

let run: Run;
let endpoint: TokenServer;
let api: ScriptedServer;

beforeAll(async () => {
  endpoint = await tokenServer(answerToken);
  api = await scriptedServer((response, _at, { headers }) => {
    const token = (headers.authorization ?? '').replace('Bearer ', '');
    const overAtMs = run.overAtMs.get(token) ?? 0;
    response.statusCode = run.revoked.has(token) || overAtMs <= run.clock.nowMs() ? 401 : 200;
    response.end('[]');
  });
});
afterAll(() => Promise.all([endpoint.close(), api.close()]));

let tokens = 0;
function answerToken(response: ServerResponse): void {
  const { clock, scripts, overAtMs } = run;
  if (clock.nowMs() < run.quietUntilMs) run.early++;
  const said = scripts.shift() ?? { kind: 'token', expiresIn: 1_000, tookMs: 0 };
  // Later, so that whoever does not wait for it asks a second time.
  setImmediate(() => {
    switch (said.kind) {
      case 'token': {
        const token = `t${++tokens}`;
        const seconds = Number(said.expiresIn ?? Number.NaN);
        const ends = seconds > 0 && seconds < LIFE_SEC_MAX;
        overAtMs.set(token, ends ? clock.nowMs() + seconds * 1_000 : Infinity);
        clock.advance(said.tookMs);
        return answerJson(response, 200, { access_token: token, expires_in: said.expiresIn });
      }
      case 'status': {
        const { status, waitSec } = said;
        if (waitSec !== undefined) run.quietUntilMs = clock.nowMs() + waitSec * 1_000;
        const wait = waitSec === undefined ? {} : { 'retry-after': String(waitSec) };
        return void response.writeHead(status, wait).end('{}');
      }
      case 'noise':
        return void response.end('<html>');
      case 'drop':
        return void response.destroy();
    }
  });
}

test('no token that is known to be over is shown, the endpoint is asked by one at a time and never before its wait is over', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(script, { maxLength: 8 }),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      async (scripts, steps) => {
        const clock = testClock();
        run = {
          clock,
          scripts: [...scripts],
          overAtMs: new Map(),
          revoked: new Set(),
          quietUntilMs: 0,
          early: 0,
        };
        const authorize = oauth2(
          { tokenUrl: endpoint.url, clientId: 'app', clientIn: 'body' },
          { readSecret: async () => 's3cret', clock },
        );
        const shownLate: string[] = [];
        const source = httpPageSource({
          url: api.url,
          clock,
          // What is handed out here leaves at once.
          authorize: async (ask) => {
            const shown = await authorize(ask);
            if (shown.kind !== 'credentials') return shown;
            const token = shown.headers['authorization']!.replace('Bearer ', '');
            if (run.overAtMs.get(token)! <= clock.nowMs()) shownLate.push(token);
            return shown;
          },
        });
        const page = () => source.fetchPage({ query: {}, timeoutMs: 20_000 });

        for (const { advance: by, pages, revoke } of steps) {
          const endMs = [...run.overAtMs.values()].at(-1) ?? 0;
          const ms = 'byMs' in by ? by.byMs : endMs - by.beforeEndMs - clock.nowMs();
          clock.advance(Number.isFinite(ms) ? Math.max(0, ms) : 0);
          if (revoke) for (const token of run.overAtMs.keys()) run.revoked.add(token);
          await Promise.all(Array.from({ length: pages }, page));
        }
        expect(shownLate).toEqual([]);
        expect(run.early).toBe(0);
        expect(endpoint.inFlightMax()).toBe(1);

        // Nothing that went wrong before stands in the way of a healthy endpoint.
        run.scripts.length = 0;
        clock.advance(100_000);
        expect(await page()).toMatchObject({ kind: 'page' });
      },
    ),
    { numRuns: 60 },
  );
});
