/** The refresh token of a pipeline's source, used from here as its functions use it. */
import type { GrantWorld } from '#adapters/http/auth/refresh-grant';
import { dynamoTurns } from '#adapters/dynamodb/turns';
import { versionedSecret } from '#adapters/secrets/versioned-secret';
import { systemClock as clock } from '#adapters/system/clock';
import type { Connection } from '#cli/connection';
import type { PipelineSettings } from '#config/pipeline-settings';
import { authSecret, isRefreshGrant } from '#config/required-settings';
import { secretName as nameOf, stageNames } from '#config/resource-names';

/**
 * Take turns at it with the functions, and store what follows where they find it.
 *
 * @param watch ends no earlier than what it is told of.
 * @returns undefined where the source's credentials are of another kind.
 */
export async function sharedGrant(
  connection: Connection,
  { stage, settings }: { readonly stage: string; readonly settings: PipelineSettings },
  watch: Pick<GrantWorld, 'remainingMs' | 'onBegun'>,
): Promise<GrantWorld | undefined> {
  const { auth } = settings.source;
  const secret = authSecret(auth);
  if (secret === undefined || !isRefreshGrant(auth)) return undefined;
  const secretName = nameOf(stage, secret);
  return {
    secret: versionedSecret(await connection.signed('secretsmanager'), secretName),
    secretName,
    turns: dynamoTurns(connection.dynamodb, { tableName: stageNames(stage).stateTable }),
    clock,
    newId: () => crypto.randomUUID(),
    ...watch,
  };
}
