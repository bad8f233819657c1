/** AWS Secrets Manager on one machine, over its JSON protocol. */
import { answerJson } from '#local/aws-json';
import type { JsonInput, JsonProtocol } from '#local/aws-json';
import type { Chance, Clock, NewId, Storage, WireHandler } from '#local/contracts';
import { RANDOM_ID } from '#local/new-id';
import { generatePassword } from './generate-password.ts';
import { onlyKnown } from './inputs.ts';
import {
  createSecret,
  deleteSecret,
  describeSecret,
  listSecrets,
  restoreSecret,
  updateSecret,
} from './manage-secrets.ts';
import type { SecretState } from './secret-state.ts';
import { openSecretStore } from './secret-store.ts';
import {
  batchGetSecretValue,
  getSecretValue,
  keepVersion,
  listSecretVersionIds,
  putSecretValue,
} from './secret-values.ts';
import { updateSecretVersionStage } from './version-stages.ts';

export interface DeclaredSecret {
  readonly name: string;
  readonly arn: string;
  readonly value?: string;
}

export interface Secrets extends WireHandler {
  /** Keeps the secret, and its value, that are there. */
  createSecret(secret: DeclaredSecret): void;
}

const PASSWORD_MEMBERS = [
  'PasswordLength',
  'ExcludeCharacters',
  'ExcludeNumbers',
  'ExcludePunctuation',
  'ExcludeUppercase',
  'ExcludeLowercase',
  'IncludeSpace',
  'RequireEachIncludedType',
];

type Operation = (state: SecretState, input: JsonInput) => object;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  BatchGetSecretValue: batchGetSecretValue,
  CreateSecret: createSecret,
  DeleteSecret: deleteSecret,
  DescribeSecret: describeSecret,
  GetRandomPassword({ chance }, input) {
    onlyKnown(input, PASSWORD_MEMBERS);
    return { RandomPassword: generatePassword(input, chance) };
  },
  GetSecretValue: getSecretValue,
  ListSecrets: listSecrets,
  ListSecretVersionIds: listSecretVersionIds,
  PutSecretValue: putSecretValue,
  RestoreSecret: restoreSecret,
  UpdateSecret: updateSecret,
  UpdateSecretVersionStage: updateSecretVersionStage,
};

/** Serve the secrets of `storage`. */
export function createSecrets({
  storage,
  clock,
  newId = RANDOM_ID,
  chance = Math.random,
}: {
  storage: Storage;
  clock: Clock;
  newId?: NewId;
  chance?: Chance;
}): Secrets {
  const state: SecretState = { store: openSecretStore(storage), clock, newId, chance };
  const protocol: JsonProtocol = {
    version: '1.1',
    operations: Object.fromEntries(
      Object.entries(OPERATIONS).map(([name, operation]) => [
        name,
        (input: JsonInput) => operation(state, input),
      ]),
    ),
    errorNamespace: () => '',
    checksum: 'none',
    newId,
  };
  return {
    createSecret({ name, arn, value }) {
      if (state.store.find(name) !== undefined) return;
      const secret = { name, arn, createdMs: clock.nowMs() };
      state.store.put(secret);
      if (value === undefined) return;
      const given = { secretString: value, secretBinary: undefined };
      keepVersion(state, secret, { value: given, versionId: newId(), stages: ['AWSCURRENT'] });
    },
    async handle(request) {
      return answerJson(protocol, request);
    },
  };
}
