/** The refresh token in its secret: read, replaced by compare-and-set, completed where one died at it. */
import { AwsError } from '#adapters/aws/aws-error';
import type { SecretVersion } from '#ports/versioned-secret';
import { GRANT_FORM, parseGrant, refreshedText } from './grant-text.ts';
import type { GrantText } from './grant-text.ts';
import type { GrantWorld } from './refresh-grant.ts';

/** Between two tries to store. */
const PAUSE_MS = 500;

export interface StoredGrant extends SecretVersion {
  readonly grant: GrantText;
}

type Refreshed = Required<Pick<GrantText, 'refreshToken' | 'access' | 'spentUntilMs'>>;

export interface GrantStore {
  /** @throws {Error} in one sentence, without the secret, when it cannot be read or has another form. */
  read(): Promise<StoredGrant>;
  /** Lets count what another function has written and did not live to let count, and reads. */
  recover(): Promise<StoredGrant>;
  /**
   * Stores what `before` was exchanged for; where a person has put another text meanwhile, that stays.
   *
   * @param untilMs until then it is tried.
   * @throws {Error} when it could not be stored: it is owed from then on.
   */
  keep(before: StoredGrant, refreshed: Refreshed, untilMs: number): Promise<void>;
  /** Stores what is owed, if anything is. */
  settle(): Promise<void>;
  isOwing(): boolean;
}

export function grantStore({ secret, secretName, clock, newId }: GrantWorld): GrantStore {
  let owed: { readonly before: string; readonly next: SecretVersion } | undefined;

  async function read(): Promise<StoredGrant> {
    const version = await secret.read('current');
    const grant = version && parseGrant(version.text);
    if (version === undefined || grant === undefined) {
      const cause = undefined;
      throw new AwsError(`the secret ${secretName} ${GRANT_FORM}`, { retryable: false, cause });
    }
    return { ...version, grant };
  }

  async function settle(): Promise<void> {
    if (owed === undefined) return;
    const { before, next } = owed;
    await secret.write(next);
    await secret.replace(before, next.id);
    owed = undefined;
  }

  return {
    read,
    settle,
    isOwing: () => owed !== undefined,
    async recover() {
      const current = await read();
      const next = await secret.read('next');
      if (next === undefined || parseGrant(next.text)?.after !== current.id) return current;
      await secret.replace(current.id, next.id);
      return read();
    },
    async keep(before, refreshed, untilMs) {
      const text = refreshedText(before.text, { ...refreshed, after: before.id });
      owed = { before: before.id, next: { id: newId(), text } };
      for (;;) {
        try {
          return await settle();
        } catch (error) {
          const isHopeless = error instanceof AwsError && !error.retryable;
          if (isHopeless || clock.nowMs() >= untilMs) throw error;
          await clock.sleep(PAUSE_MS);
        }
      }
    },
  };
}
