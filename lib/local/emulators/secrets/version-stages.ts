/** Staging labels: each is on one version at a time. */
import type { JsonInput } from '#local/aws-json';
import { invalid, onlyKnown, refused, text } from './inputs.ts';
import { livingSecret } from './secret-state.ts';
import type { SecretState } from './secret-state.ts';
import type { SecretVersion } from './secret-store.ts';

const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';

/**
 * Each version with the labels that it has once `labels` have moved to another: the one that
 * AWSCURRENT is taken from becomes AWSPREVIOUS.
 */
export function withoutLabels(
  versions: readonly SecretVersion[],
  labels: readonly string[],
): readonly SecretVersion[] {
  const takesCurrent = labels.includes(CURRENT);
  return versions.map((version) => {
    const left = version.stages.filter(
      (stage) => !labels.includes(stage) && !(takesCurrent && stage === PREVIOUS),
    );
    const wasCurrent = takesCurrent && version.stages.includes(CURRENT);
    return { ...version, stages: wasCurrent ? [...left, PREVIOUS] : left };
  });
}

export function updateSecretVersionStage(state: SecretState, input: JsonInput): object {
  onlyKnown(input, ['SecretId', 'VersionStage', 'MoveToVersionId', 'RemoveFromVersionId']);
  const secret = livingSecret(state, input);
  const label = text(input, 'VersionStage');
  if (label === undefined) throw invalid('versionStage', undefined, 'not be null');
  const [to, from] = [text(input, 'MoveToVersionId'), text(input, 'RemoveFromVersionId')];
  const versions = state.store.versions(secret.name);
  refuseMove(versions, { label, to, from });
  const moved = withoutLabels(versions, to === from ? [] : [label]).map((version) =>
    version.versionId === to && !version.stages.includes(label)
      ? { ...version, stages: [...version.stages, label] }
      : version,
  );
  state.store.replaceVersions(secret.name, moved);
  return { ARN: secret.arn, Name: secret.name };
}

interface Move {
  readonly label: string;
  readonly to: string | undefined;
  readonly from: string | undefined;
}

/** A label on another version moves only for one who says which that is. */
function refuseMove(versions: readonly SecretVersion[], { label, to, from }: Move): void {
  for (const id of [to, from]) {
    if (id === undefined || versions.some(({ versionId }) => versionId === id)) continue;
    throw refused(
      'ResourceNotFoundException',
      `Secrets Manager can't find the specified secret value for VersionId: ${id}`,
    );
  }
  if (to === undefined && (from === undefined || label === CURRENT)) {
    throw parameter('You must specify the MoveToVersionId parameter.');
  }
  const holder = versions.find(({ stages }) => stages.includes(label))?.versionId;
  if (from !== undefined && from !== holder) {
    throw parameter(`Staging label ${label} is not currently attached to version ${from}.`);
  }
  if (holder !== undefined && holder !== to && from === undefined) {
    throw parameter(
      `The parameter RemoveFromVersionId can't be empty. Staging label ${label} is currently attached ` +
        `to version ${holder}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
  }
}

function parameter(message: string) {
  return refused('InvalidParameterException', message);
}
