/** Laws of functions that share a refresh token, over random orders of their steps and deaths. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GrantWorld } from '#adapters/http/auth/refresh-grant';
import { lockstep } from './lockstep.ts';
import type { Stepper } from './lockstep.ts';
import { bearerIn, refreshWorld } from './refresh-world.ts';
import { endpointOf } from './strict-server.ts';

type World = ReturnType<typeof refreshWorld>;

/** Who has asked has so much of its turn left at least: one who stops for longer is as dead. */
const LATE_MS = 15_000;

/** What a function does between two of its requests to the source: nothing, or wait so long. */
const pauses = fc.array(fc.constantFrom(0, 1_000, 550_000, 700_000), {
  minLength: 1,
  maxLength: 4,
});
const plan = fc.record({
  functions: fc.array(pauses, { minLength: 2, maxLength: 4 }),
  picks: fc.array(fc.nat({ max: 9_999 }), { minLength: 150, maxLength: 150 }),
  deathsMax: fc.nat({ max: 2 }),
  graceMs: fc.constantFrom(0, 0, 45_000),
  isPutByHand: fc.boolean(),
  isRevokedEarly: fc.boolean(),
});

interface Answered {
  readonly askedMs: number;
  readonly owner: Stepper;
}

function isLate(answered: Answered | undefined, nowMs: number): boolean {
  return answered !== undefined && nowMs - answered.askedMs >= LATE_MS;
}

/** The ports of one function, a step each. */
function stepped(
  { secret, turns, clock }: World,
  stepper: Stepper,
  unwritten: Map<string, Answered>,
): Partial<GrantWorld> {
  return {
    secret: {
      read: (which) => stepper.step(() => secret.read(which)),
      write: (next) =>
        stepper.step(async () => {
          const { refreshToken } = JSON.parse(next.text) as { readonly refreshToken: string };
          // Written after its turn, it may come too late for whoever had the next.
          if (!isLate(unwritten.get(refreshToken), clock.nowMs())) unwritten.delete(refreshToken);
          await secret.write(next);
        }),
      replace: (from, to) => stepper.step(() => secret.replace(from, to)),
    },
    turns: {
      take: (ask) => stepper.step(() => turns.take(ask)),
      giveBack: (turn) => stepper.step(() => turns.giveBack(turn)),
    },
    clock: { nowMs: clock.nowMs, sleep: (ms) => stepper.sleep(clock.nowMs() + ms) },
  };
}

test('the family is revoked only by a death before the new token was written; else everyone is let in, and what a person put stays', async () => {
  const seen = { deaths: 0, exchanges: 0, byHand: 0 };
  await fc.assert(
    fc.asyncProperty(plan, async ({ functions, picks, deathsMax, ...given }) => {
      const world = refreshWorld({ graceMs: given.graceMs });
      const { server, clock, secret } = world;
      const steps = lockstep(clock);
      const unwritten = new Map<string, Answered>();
      let revokedBy: readonly Answered[] | undefined;
      let isByHand = false;
      const exchange: typeof server.exchange = (token) => {
        const wasGood = server.newest() !== undefined;
        const answer = server.exchange(token);
        if (answer === undefined && wasGood && server.newest() === undefined) {
          revokedBy = [...unwritten.values()].filter(
            (one) => one.owner.isDead() || isLate(one, clock.nowMs()),
          );
        }
        if (answer !== undefined && 'refresh_token' in answer) {
          unwritten.set(answer.refresh_token, { askedMs: clock.nowMs(), owner: steps.current() });
        }
        return answer;
      };
      const refused: unknown[] = [];
      for (const waits of functions) {
        steps.begin(async (stepper) => {
          const own = stepped(world, stepper, unwritten);
          const { ask } = world.open(own, endpointOf(exchange, clock.nowMs));
          for (const ms of waits) {
            await stepper.sleep(clock.nowMs() + ms);
            let shown = await ask();
            if (shown.kind === 'credentials' && !server.accepts(bearerIn(shown))) {
              shown = await ask(shown);
            }
            if (shown.kind === 'refused') refused.push(shown);
            if (given.isRevokedEarly && shown.kind === 'credentials') {
              server.revoke(bearerIn(shown));
            }
          }
        });
      }
      if (given.isPutByHand) {
        steps.begin(async (stepper) => {
          await stepper.sleep(clock.nowMs() + 300);
          isByHand = true;
          secret.put(JSON.stringify({ refreshToken: server.consent(), hand: true }));
        });
      }
      let [at, deaths] = [0, deathsMax];
      await steps.run((count) => {
        const pick = picks[at++ % picks.length]! + Math.floor(at / picks.length);
        const dies = deaths > 0 && pick % 13 === 0;
        if (dies) deaths--;
        return { pick: pick % count, dies };
      });

      seen.deaths += deathsMax - deaths;
      seen.exchanges += server.count();
      if (isByHand) seen.byHand++;
      expect(world.stored()['hand']).toBe(isByHand || undefined);
      if (server.newest() === undefined) {
        expect(revokedBy?.length).toBeGreaterThan(0);
        return;
      }
      if (!isByHand) expect(refused).toEqual([]);
      // Whoever comes next is let in, whatever was left.
      clock.advance(60_000);
      const next = world.open();
      const shown = await next.ask();
      const token =
        shown.kind === 'credentials' && !server.accepts(bearerIn(shown))
          ? await next.token(shown)
          : shown.kind === 'credentials' && bearerIn(shown);
      const isIn = typeof token === 'string' && server.accepts(token);
      expect(isIn || unwritten.size > 0).toBe(true);
      if (isIn && unwritten.size === 0) {
        expect(world.stored()['refreshToken']).toBe(server.newest());
      }
    }),
    { numRuns: 600 },
  );
  // Each of these was tried often.
  expect(seen.deaths).toBeGreaterThan(300);
  expect(seen.exchanges).toBeGreaterThan(800);
  expect(seen.byHand).toBeGreaterThan(120);
});
