import { strikeTexts } from '#adapters/http/auth/strike-secrets';
import type { Io } from '#cli/io';

/** The same process, with secrets struck out of whatever is written: a source may say them back. */
export function hidingIo(io: Io, secrets: readonly string[]): Io {
  const strike = strikeTexts(secrets);
  return {
    ...io,
    out: (text) => io.out(strike(text)),
    err: (text) => io.err(strike(text)),
  };
}
