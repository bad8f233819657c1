import { hideTexts } from '#adapters/http/auth/credential-texts';
import type { Io } from '#cli/io';

/** The same process, with secrets struck out of whatever is written: a source may say them back. */
export function hidingIo(io: Io, secrets: readonly string[]): Io {
  return {
    ...io,
    out: (text) => io.out(hideTexts(text, secrets)),
    err: (text) => io.err(hideTexts(text, secrets)),
  };
}
