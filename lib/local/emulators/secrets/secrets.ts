/** AWS Secrets Manager as far as values go: put, get, describe and list, over its wire protocol. */
import { randomUUID } from 'node:crypto';
import type { Clock, Storage, WireHandler, WireResponse } from '#local/contracts';
import { openSecretStore } from './secret-store.ts';
import type { Secret, SecretStore, SecretVersion } from './secret-store.ts';

export interface Secrets extends WireHandler {
  /** Keeps the secret, and its value, that are there. */
  createSecret(secret: {
    readonly name: string;
    readonly arn: string;
    readonly value?: string;
  }): void;
}

/** What the caller did wrong; its name is the wire's error code. */
class Refusal extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

type Input = Readonly<Record<string, unknown>>;
type Operation = (input: Input, store: SecretStore, clock: Clock) => object;

/** Serve the secrets of `storage`. */
export function createSecrets({ storage, clock }: { storage: Storage; clock: Clock }): Secrets {
  const store = openSecretStore(storage);
  return {
    createSecret({ name, arn, value }) {
      if (store.find(name) !== undefined) return;
      store.add({ name, arn, createdMs: clock.nowMs() });
      if (value !== undefined)
        putSecretValue({ SecretId: name, SecretString: value }, store, clock);
    },
    async handle({ headers, body }) {
      const target = (headers['x-amz-target'] ?? '').replace('secretsmanager.', '');
      try {
        const operation = OPERATIONS[target];
        if (operation === undefined) {
          throw new Refusal('UnknownOperationException', `The local cloud has no ${target}.`);
        }
        return answer(200, operation(parseInput(body), store, clock));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return answer(400, { __type: error.name, Message: error.message, message: error.message });
      }
    },
  };
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  GetSecretValue: getSecretValue,
  PutSecretValue: putSecretValue,
  DescribeSecret: describeSecret,
  ListSecrets: (_, store) => ({ SecretList: store.all().map((secret) => summary(secret, store)) }),
};

function getSecretValue(input: Input, store: SecretStore): object {
  const secret = findSecret(input, store);
  const stage = text(input, 'VersionStage') ?? 'AWSCURRENT';
  const asked = text(input, 'VersionId');
  const version = store
    .versions(secret.name)
    .find(({ versionId, stages }) =>
      asked === undefined ? stages.includes(stage) : versionId === asked,
    );
  if (version === undefined) {
    const which = asked === undefined ? `staging label: ${stage}` : `VersionId: ${asked}`;
    throw new Refusal(
      'ResourceNotFoundException',
      `Secrets Manager can't find the specified secret value for ${which}`,
    );
  }
  const { versionId, stages, secretString, secretBinary, createdMs } = version;
  return {
    ARN: secret.arn,
    Name: secret.name,
    VersionId: versionId,
    VersionStages: stages,
    CreatedDate: createdMs / 1_000,
    ...(secretString === undefined ? {} : { SecretString: secretString }),
    ...(secretBinary === undefined ? {} : { SecretBinary: secretBinary }),
  };
}

/** The new version becomes AWSCURRENT; the one it replaces becomes AWSPREVIOUS. */
function putSecretValue(input: Input, store: SecretStore, clock: Clock): object {
  const secret = findSecret(input, store);
  const secretString = text(input, 'SecretString');
  const secretBinary = text(input, 'SecretBinary');
  if ((secretString === undefined) === (secretBinary === undefined)) {
    throw new Refusal(
      'InvalidParameterException',
      'You must provide either SecretString or SecretBinary.',
    );
  }
  const versionId = text(input, 'ClientRequestToken') ?? randomUUID();
  const before = store.versions(secret.name);
  const same = before.find((version) => version.versionId === versionId);
  if (
    same !== undefined &&
    !(same.secretString === secretString && same.secretBinary === secretBinary)
  ) {
    throw new Refusal(
      'ResourceExistsException',
      `A resource with the ID you requested already exists: ${versionId}`,
    );
  }
  if (same === undefined) {
    store.replaceVersions(secret.name, [
      ...before
        .filter(({ stages }) => stages.includes('AWSCURRENT'))
        .map((version): SecretVersion => ({ ...version, stages: ['AWSPREVIOUS'] })),
      {
        versionId,
        stages: ['AWSCURRENT'],
        secretString,
        secretBinary,
        createdMs: clock.nowMs(),
      },
    ]);
  }
  const stages = same?.stages ?? ['AWSCURRENT'];
  return { ARN: secret.arn, Name: secret.name, VersionId: versionId, VersionStages: stages };
}

function describeSecret(input: Input, store: SecretStore): object {
  const secret = findSecret(input, store);
  const stages = store.versions(secret.name).map((version) => [version.versionId, version.stages]);
  return { ...summary(secret, store), VersionIdsToStages: Object.fromEntries(stages) };
}

function summary({ arn, name, createdMs }: Secret, store: SecretStore): object {
  const changedMs = Math.max(
    createdMs,
    ...store.versions(name).map((version) => version.createdMs),
  );
  return {
    ARN: arn,
    Name: name,
    CreatedDate: createdMs / 1_000,
    LastChangedDate: changedMs / 1_000,
  };
}

function findSecret(input: Input, store: SecretStore): Secret {
  const id = text(input, 'SecretId');
  if (id === undefined) {
    throw new Refusal(
      'ValidationException',
      "Value null at 'secretId' failed to satisfy constraint",
    );
  }
  const secret = store.find(id);
  if (secret === undefined) {
    throw new Refusal(
      'ResourceNotFoundException',
      "Secrets Manager can't find the specified secret.",
    );
  }
  return secret;
}

function text(input: Input, member: string): string | undefined {
  const value = input[member];
  return typeof value === 'string' ? value : undefined;
}

function parseInput(body: Uint8Array): Input {
  try {
    return JSON.parse(Buffer.from(body).toString() || '{}') as Input;
  } catch {
    throw new Refusal('SerializationException', 'The request is not JSON.');
  }
}

function answer(status: number, body: object): WireResponse {
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.1' },
    body: JSON.stringify(body),
  };
}
