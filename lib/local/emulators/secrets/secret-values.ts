/** The values of secrets: put, got, listed by version. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { onlyKnown, refused, text, texts, tokenIn, valueIn } from './inputs.ts';
import type { GivenValue } from './inputs.ts';
import type { Secret } from './secret-store.ts';
import { livingSecret } from './secret-state.ts';
import type { SecretState } from './secret-state.ts';
import { withoutLabels } from './version-stages.ts';

/** @source Secrets Manager User Guide, "What's in a secret": so many versions without a label are kept. */
const DEPRECATED_MAX = 100;

/** @source Secrets Manager API 2017-10-17, BatchGetSecretValue. */
const BATCH_MAX = 20;

export function getSecretValue(state: SecretState, input: JsonInput): object {
  onlyKnown(input, ['SecretId', 'VersionId', 'VersionStage']);
  const secret = livingSecret(state, input);
  const asked = text(input, 'VersionId');
  const stage = text(input, 'VersionStage') ?? (asked === undefined ? 'AWSCURRENT' : undefined);
  const version = state.store
    .versions(secret.name)
    .find(({ versionId, stages }) =>
      asked === undefined ? stages.includes(stage ?? '') : versionId === asked,
    );
  if (version === undefined) {
    const which = asked === undefined ? `staging label: ${stage}` : `VersionId: ${asked}`;
    throw refused(
      'ResourceNotFoundException',
      `Secrets Manager can't find the specified secret value for ${which}`,
    );
  }
  if (stage !== undefined && !version.stages.includes(stage)) {
    throw refused(
      'InvalidRequestException',
      'You provided a VersionStage that is not associated to the provided VersionId.',
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

export function batchGetSecretValue(state: SecretState, input: JsonInput): object {
  onlyKnown(input, ['SecretIdList']);
  const ids = texts(input, 'SecretIdList') ?? [];
  if (ids.length === 0 || ids.length > BATCH_MAX) {
    const message = `SecretIdList must have 1 to ${BATCH_MAX} members.`;
    throw refused('InvalidParameterException', message);
  }
  const SecretValues: object[] = [];
  const Errors: object[] = [];
  for (const SecretId of ids) {
    try {
      SecretValues.push(getSecretValue(state, { SecretId }));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      Errors.push({ SecretId, ErrorCode: error.code, Message: error.message });
    }
  }
  return { SecretValues, Errors };
}

export function putSecretValue(state: SecretState, input: JsonInput): object {
  onlyKnown(input, [
    'SecretId',
    'ClientRequestToken',
    'SecretString',
    'SecretBinary',
    'VersionStages',
  ]);
  const secret = livingSecret(state, input);
  const value = valueIn(input);
  if (value === undefined) {
    throw refused(
      'InvalidParameterException',
      'You must provide either SecretString or SecretBinary.',
    );
  }
  const versionId = tokenIn(input, state.newId);
  const stages = keepVersion(state, secret, {
    value,
    versionId,
    stages: texts(input, 'VersionStages') ?? ['AWSCURRENT'],
  });
  return { ARN: secret.arn, Name: secret.name, VersionId: versionId, VersionStages: stages };
}

/**
 * A label is on one version at a time: the one that AWSCURRENT is taken from becomes AWSPREVIOUS.
 *
 * @returns the version's labels.
 */
export function keepVersion(
  { store, clock }: SecretState,
  secret: Secret,
  given: {
    readonly value: GivenValue;
    readonly versionId: string;
    readonly stages: readonly string[];
  },
): readonly string[] {
  const { value, versionId, stages } = given;
  const before = store.versions(secret.name);
  const same = before.find((version) => version.versionId === versionId);
  if (same !== undefined) {
    const { secretString, secretBinary } = same;
    if (secretString === value.secretString && secretBinary === value.secretBinary)
      return same.stages;
    throw refused(
      'ResourceExistsException',
      `A resource with the ID you requested already exists: ${versionId}`,
    );
  }
  // The first version is the current one, whatever it is labelled.
  const own = before.length === 0 ? [...new Set([...stages, 'AWSCURRENT'])] : stages;
  const relabelled = withoutLabels(before, own);
  const deprecated = relabelled.filter((version) => version.stages.length === 0);
  const tooMany = new Set(deprecated.slice(0, Math.max(0, deprecated.length - DEPRECATED_MAX)));
  store.replaceVersions(secret.name, [
    ...relabelled.filter((version) => !tooMany.has(version)),
    { versionId, stages: own, ...value, createdMs: clock.nowMs() },
  ]);
  return own;
}

export function listSecretVersionIds(state: SecretState, input: JsonInput): object {
  onlyKnown(input, ['SecretId', 'IncludeDeprecated']);
  const secret = livingSecret(state, input);
  const versions = state.store
    .versions(secret.name)
    .filter(({ stages }) => stages.length > 0 || input['IncludeDeprecated'] === true);
  return {
    ARN: secret.arn,
    Name: secret.name,
    Versions: versions.map(({ versionId, stages, createdMs }) => ({
      VersionId: versionId,
      VersionStages: stages,
      CreatedDate: createdMs / 1_000,
    })),
  };
}
