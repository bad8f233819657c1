import { CliError } from '#cli/cli-error';
import type { Environment } from '#cli/choose-cloud';
import { secretVariable } from '#cli/cloud/settings';
import type { PipelineSettings } from '#config/pipeline-settings';

/** @source Fetch standard, header value, as Node's fetch takes it: Latin-1 without control characters. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Make sure that a header can carry the secret: what fetch says of one that it cannot carry reads as if
 * the source were not there.
 *
 * @throws {CliError} naming the variable.
 */
export function refuseUnsendable(
  { name, source: { auth } }: Pick<PipelineSettings, 'name' | 'source'>,
  env: Environment,
): void {
  const isShown = auth.kind === 'bearer' || (auth.kind === 'api-key' && auth.header !== undefined);
  if (!isShown) return;
  const variable = secretVariable(auth.secret);
  // Blanks and line ends around it are left out as the request leaves.
  if (!UNSENDABLE.test((env[variable] ?? '').trim())) return;
  throw new CliError(
    `${variable} holds a line end or a character that no header can carry: ${name} shows it to its source.`,
  );
}
