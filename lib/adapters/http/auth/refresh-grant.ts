/**
 * Access tokens by a refresh token that may change with each use, for functions that share it.
 *
 * Always true: of all functions one at a time asks with the refresh token, and with the newest that
 * is stored; a new one is stored before its access token is shown; what a person puts meanwhile
 * stays. The tokens are in the secret alone. Only the death of a function, or a lost answer,
 * between the endpoint's answer and the first write to the secret loses a refresh token.
 */
import { refreshWaitMs, spendRefresh } from '#core/source/refresh-rate';
import { refreshAtMs } from '#core/source/token-life';
import type { Clock } from '#ports/clock';
import type { NoPage } from '#ports/page-source';
import type { Turn, Turns } from '#ports/turns';
import type { VersionedSecret } from '#ports/versioned-secret';
import type { Authorize } from './authorize.ts';
import { grantStore } from './grant-store.ts';
import type { StoredGrant } from './grant-store.ts';
import { renewedToken } from './renewed-token.ts';
import type { TokenAnswer, TokenEndpoint } from './token-endpoint.ts';

/** How long one may be at it. Short: some servers let the token before the last work for half a minute. */
const TURN_MS = 30_000;

/** What asking and storing may take; who has less left does not begin. */
const REFRESH_MS = 15_000;

/** Between two looks at what another function is doing. */
const LOOK_MS = 500;

export interface GrantWorld {
  readonly secret: VersionedSecret;
  readonly secretName: string;
  readonly turns: Turns;
  readonly clock: Clock;
  /** Makes the id of a secret's version, 32 to 64 characters that no other has. */
  readonly newId: () => string;
  /** How long this function still runs. */
  readonly remainingMs: () => number;
  /** Is told of what must not be broken off: the function is not to end before it. */
  readonly onBegun: (refresh: Promise<unknown>) => void;
}

export function refreshGrant(askEndpoint: TokenEndpoint, world: GrantWorld): Authorize {
  const { turns, clock, secretName, remainingMs, onBegun } = world;
  const store = grantStore(world);

  async function refresh(turn: Turn, isRefused: (token: string) => boolean): Promise<TokenAnswer> {
    // Whoever had the turn before may have died in it.
    const stored = await store.recover();
    const nowMs = clock.nowMs();
    const shared = sharedToken(stored, { isRefused, nowMs, isOldGood: false });
    if (shared !== undefined) return shared;
    if (Math.min(turn.untilMs - nowMs, remainingMs()) < REFRESH_MS) return TOO_LATE;
    const { clientSecret, refreshToken: token, spentUntilMs } = stored.grant;
    const waitMs = refreshWaitMs(spentUntilMs, nowMs);
    if (waitMs > 0) return tooOften(waitMs);
    const answer = await askEndpoint({ clientSecret, refresh: { token, secretName } });
    if (answer.kind === 'token' && answer.refreshToken !== undefined) {
      const { token: access, bornAtMs, lifeMs } = answer;
      await store.keep(
        stored,
        {
          refreshToken: answer.refreshToken,
          spentUntilMs: spendRefresh(spentUntilMs, nowMs),
          access: { token: access, bornAtMs, expiresAtMs: bornAtMs + lifeMs },
        },
        turn.untilMs,
      );
    }
    return answer;
  }

  async function inTurn(turn: Turn, isRefused: (token: string) => boolean): Promise<TokenAnswer> {
    try {
      return await refresh(turn, isRefused);
    } finally {
      // While a new one is stored nowhere, nobody is to ask with the old one.
      if (!store.isOwing()) await turns.giveBack(turn).catch(() => undefined);
    }
  }

  return renewedToken(async (isRefused) => {
    const givenUpMs = clock.nowMs() + 2 * TURN_MS;
    await store.settle();
    for (;;) {
      const stored = await store.read();
      const shared = sharedToken(stored, { isRefused, nowMs: clock.nowMs(), isOldGood: false });
      if (shared !== undefined) return shared;
      const ask = { name: secretName, nowMs: clock.nowMs(), lengthMs: TURN_MS };
      const turn = await turns.take(ask);
      if (turn.kind === 'taken') {
        const begun = inTurn(turn, isRefused);
        onBegun(begun);
        return begun;
      }
      const old = sharedToken(stored, { isRefused, nowMs: clock.nowMs(), isOldGood: true });
      if (old !== undefined) return old;
      if (clock.nowMs() >= givenUpMs) return BUSY;
      await clock.sleep(LOOK_MS);
    }
  }, clock);
}

const TOO_LATE: NoPage = {
  kind: 'unavailable',
  detail: 'too little time is left to refresh the access token: the next poll does it',
};

const BUSY: NoPage = {
  kind: 'unavailable',
  detail: 'other functions were refreshing the access token all the time',
};

function tooOften(waitMs: number): NoPage {
  const minutes = Math.ceil(waitMs / 60_000);
  return {
    kind: 'unavailable',
    detail:
      `the access token is refreshed again in ${minutes} minutes: each refresh leaves a version of the secret, ` +
      'of which a day bears a hundred; let the token endpoint issue tokens that live longer',
  };
}

/** The stored access token; in the last tenth of its life only where old ones are good. */
function sharedToken(
  { grant: { access } }: StoredGrant,
  {
    isRefused,
    nowMs,
    isOldGood,
  }: {
    readonly isRefused: (token: string) => boolean;
    readonly nowMs: number;
    readonly isOldGood: boolean;
  },
): TokenAnswer | undefined {
  if (access === undefined || isRefused(access.token)) return undefined;
  const { token, bornAtMs, expiresAtMs } = access;
  const lifeMs = expiresAtMs - bornAtMs;
  const endMs = isOldGood ? expiresAtMs : refreshAtMs(bornAtMs, lifeMs);
  return nowMs < endMs ? { kind: 'token', token, bornAtMs, lifeMs } : undefined;
}
