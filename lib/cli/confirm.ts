/** What cannot be taken back is agreed to twice: by the command, and by --yes or the typed name. */
import { CliError, UsageError } from './cli-error.ts';
import type { Io } from './io.ts';

export interface ConfirmOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** Refuse before anything is read. @throws {UsageError} where nobody could agree. */
export function requireConsent({ yes, dryRun }: ConfirmOptions, io: Io): void {
  if (yes || dryRun || io.ask !== undefined) return;
  throw new UsageError('There is no terminal to ask at: --yes agrees, --dry-run only shows.');
}

/** Have a name typed, unless --yes was said. @throws {CliError} when another was typed. */
export async function confirmByName(name: string, { yes }: ConfirmOptions, io: Io): Promise<void> {
  if (yes) return;
  const typed = await io.ask?.(`Type ${name} to do it: `);
  if (typed?.trim() !== name) throw new CliError(`Nothing was changed: ${name} was not typed.`);
}
