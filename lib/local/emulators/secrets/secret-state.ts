/** What the operations of Secrets Manager share. */
import type { JsonInput } from '#local/aws-json';
import type { Chance, Clock, NewId } from '#local/contracts';
import { invalid, refused, text } from './inputs.ts';
import type { Secret, SecretStore } from './secret-store.ts';

export interface SecretState {
  readonly store: SecretStore;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly chance: Chance;
}

/** @throws {ServiceError} when there is none, or its time to be restored is over. */
export function findSecret({ store, clock }: SecretState, input: JsonInput): Secret {
  const id = text(input, 'SecretId');
  if (id === undefined) throw invalid('secretId', undefined, 'not be null');
  const secret = store.find(id);
  if (secret?.deletedMs !== undefined && secret.deletedMs <= clock.nowMs()) {
    store.remove(secret.name);
  } else if (secret !== undefined) return secret;
  throw refused('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
}

/** @throws {ServiceError} also when it is to be deleted. */
export function livingSecret(state: SecretState, input: JsonInput): Secret {
  const secret = findSecret(state, input);
  if (secret.deletedMs === undefined) return secret;
  throw refused(
    'InvalidRequestException',
    "You can't perform this operation on the secret because it was marked for deletion.",
  );
}
