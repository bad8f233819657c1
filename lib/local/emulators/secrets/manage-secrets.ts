/** Secrets themselves: made, described, deleted, restored. */
import type { JsonInput } from '#local/aws-json';
import { hexDigits } from '#local/new-id';
import { arn } from '#local/template/arns';
import { count, onlyKnown, refused, text, tokenIn, valueIn } from './inputs.ts';
import { findSecret, livingSecret } from './secret-state.ts';
import type { SecretState } from './secret-state.ts';
import type { Secret } from './secret-store.ts';
import { keepVersion } from './secret-values.ts';

/** @source Secrets Manager API 2017-10-17, DeleteSecret. */
const RECOVERY_DAYS = { min: 7, max: 30 };
const DAY_MS = 24 * 60 * 60 * 1_000;

/** @source Secrets Manager API 2017-10-17, CreateSecret, Name. */
const NAME = /^[\w/+=.@!-]{1,512}$/;

export function createSecret(state: SecretState, input: JsonInput): object {
  const values = ['ClientRequestToken', 'SecretString', 'SecretBinary'];
  onlyKnown(input, ['Name', 'Description', 'KmsKeyId', 'Tags', ...values]);
  const name = text(input, 'Name') ?? '';
  if (!NAME.test(name)) {
    const allowed = 'alphanumeric characters, or any of the following: -/_+=.@!';
    throw refused(
      'ValidationException',
      `Invalid name. Must be a valid name containing ${allowed}`,
    );
  }
  refuseTaken(state, name);
  const description = text(input, 'Description');
  const secret: Secret = {
    name,
    arn: arn('secretsmanager', `secret:${name}-${hexDigits(state.newId, 6)}`),
    createdMs: state.clock.nowMs(),
    ...(description === undefined ? {} : { description }),
  };
  state.store.put(secret);
  return { ARN: secret.arn, Name: name, ...versionMade(state, secret, input) };
}

function refuseTaken({ store, clock }: SecretState, name: string): void {
  const there = store.all().find((secret) => secret.name === name);
  if (there === undefined) return;
  if (there.deletedMs === undefined) {
    throw refused(
      'ResourceExistsException',
      `The operation failed because the secret ${name} already exists.`,
    );
  }
  if (there.deletedMs > clock.nowMs()) {
    throw refused(
      'InvalidRequestException',
      "You can't create this secret because a secret with this name is already scheduled for deletion.",
    );
  }
  store.remove(name);
}

export function updateSecret(state: SecretState, input: JsonInput): object {
  const values = ['ClientRequestToken', 'SecretString', 'SecretBinary'];
  onlyKnown(input, ['SecretId', 'Description', 'KmsKeyId', ...values]);
  const secret = livingSecret(state, input);
  const description = text(input, 'Description');
  if (description !== undefined) state.store.put({ ...secret, description });
  return { ARN: secret.arn, Name: secret.name, ...versionMade(state, secret, input) };
}

/** A new current version, where the request has a value. */
function versionMade(state: SecretState, secret: Secret, input: JsonInput): object {
  const value = valueIn(input);
  if (value === undefined) return {};
  const versionId = tokenIn(input, state.newId);
  keepVersion(state, secret, { value, versionId, stages: ['AWSCURRENT'] });
  return { VersionId: versionId };
}

export function describeSecret(state: SecretState, input: JsonInput): object {
  onlyKnown(input, ['SecretId']);
  const secret = findSecret(state, input);
  const stages = state.store
    .versions(secret.name)
    .filter((version) => version.stages.length > 0)
    .map((version) => [version.versionId, version.stages]);
  return { ...summary(state, secret), VersionIdsToStages: Object.fromEntries(stages) };
}

export function deleteSecret(state: SecretState, input: JsonInput): object {
  onlyKnown(input, ['SecretId', 'RecoveryWindowInDays', 'ForceDeleteWithoutRecovery']);
  const isForced = input['ForceDeleteWithoutRecovery'] === true;
  const days = input['RecoveryWindowInDays'];
  if (isForced && days !== undefined) {
    throw refused(
      'InvalidParameterException',
      "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.",
    );
  }
  const { min, max } = RECOVERY_DAYS;
  if (days !== undefined && !(Number(days) >= min && Number(days) <= max)) {
    throw refused(
      'InvalidParameterException',
      `The RecoveryWindowInDays value must be between ${min} and ${max} days (inclusive).`,
    );
  }
  const secret = isForced ? findSecret(state, input) : livingSecret(state, input);
  const nowMs = state.clock.nowMs();
  const deletedMs = isForced ? nowMs : nowMs + Number(days ?? max) * DAY_MS;
  if (isForced) state.store.remove(secret.name);
  else state.store.put({ ...secret, deletedMs });
  return { ARN: secret.arn, Name: secret.name, DeletionDate: deletedMs / 1_000 };
}

export function restoreSecret(state: SecretState, input: JsonInput): object {
  onlyKnown(input, ['SecretId']);
  const { deletedMs: _, ...secret } = findSecret(state, input);
  state.store.put(secret);
  return { ARN: secret.arn, Name: secret.name };
}

export function listSecrets(state: SecretState, input: JsonInput): object {
  onlyKnown(input, ['MaxResults', 'NextToken', 'IncludePlannedDeletion']);
  const countMax = count(input, 'MaxResults', { min: 1, max: 100 }) ?? 100;
  const after = Buffer.from(text(input, 'NextToken') ?? '', 'base64').toString();
  const nowMs = state.clock.nowMs();
  const left = state.store
    .all()
    .filter(({ name }) => name > after)
    .filter(
      ({ deletedMs }) =>
        deletedMs === undefined || (input['IncludePlannedDeletion'] === true && deletedMs > nowMs),
    );
  const page = left.slice(0, countMax);
  const last = page.at(-1);
  return {
    SecretList: page.map((secret) => summary(state, secret)),
    ...(last !== undefined && page.length < left.length
      ? { NextToken: Buffer.from(last.name).toString('base64') }
      : {}),
  };
}

function summary({ store }: SecretState, secret: Secret): object {
  const { arn: ARN, name: Name, createdMs, description, deletedMs } = secret;
  const changedMs = Math.max(createdMs, ...store.versions(Name).map((one) => one.createdMs));
  return {
    ARN,
    Name,
    CreatedDate: createdMs / 1_000,
    LastChangedDate: changedMs / 1_000,
    ...(description === undefined ? {} : { Description: description }),
    ...(deletedMs === undefined ? {} : { DeletedDate: deletedMs / 1_000 }),
  };
}
