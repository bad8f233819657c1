/** VersionedSecret over Secrets Manager: what counts has the label AWSCURRENT, what follows ours. */
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import type { SecretVersion, VersionedSecret } from '#ports/versioned-secret';
import { askSecrets, refusedError } from './ask-secrets.ts';
import { emptySecret, unreadable } from './secret-reader.ts';

/** Not AWSPENDING, by which Secrets Manager's own rotation knows how far it has come. */
const LABELS = { current: 'AWSCURRENT', next: 'PENSTOCK_NEXT' } as const;

export function versionedSecret(send: SignedFetch, secretId: string): VersionedSecret {
  const unwritable = `the secret ${secretId} cannot be replaced`;

  async function read(which: 'current' | 'next'): Promise<SecretVersion | undefined> {
    const what = unreadable(secretId);
    const input = { SecretId: secretId, VersionStage: LABELS[which] };
    const answer = await askSecrets(send, { operation: 'GetSecretValue', input, what });
    if (answer.kind === 'refused') {
      if (answer.code !== 'ResourceNotFoundException') throw refusedError(what, answer);
      if (which === 'next') return undefined;
      throw emptySecret(secretId);
    }
    const { VersionId: id, SecretString: text } = answer.members;
    if (typeof id !== 'string' || typeof text !== 'string') throw emptySecret(secretId);
    return { id, text };
  }

  return {
    read,
    async write({ id, text }) {
      const input = {
        SecretId: secretId,
        ClientRequestToken: id,
        SecretString: text,
        VersionStages: [LABELS.next],
      };
      const ask = { operation: 'PutSecretValue', input, what: unwritable };
      const answer = await askSecrets(send, ask);
      if (answer.kind === 'refused') throw refusedError(unwritable, answer);
    },
    async replace(from, to) {
      // @source Secrets Manager API 2017-10-17, UpdateSecretVersionStage, RemoveFromVersionId: where
      // the label is on another version than this one, the operation fails.
      const input = {
        SecretId: secretId,
        VersionStage: LABELS.current,
        MoveToVersionId: to,
        RemoveFromVersionId: from,
      };
      const ask = { operation: 'UpdateSecretVersionStage', input, what: unwritable };
      const answer = await askSecrets(send, ask);
      if (answer.kind === 'done') return true;
      const isRace = /^(InvalidParameter|ResourceNotFound)Exception$/.test(answer.code);
      if (!isRace) throw refusedError(unwritable, answer);
      // It may be that our own request did it, whose answer was lost.
      return (await read('current'))?.id === to;
    },
  };
}
