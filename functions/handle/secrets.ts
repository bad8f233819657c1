/** The secrets of one consumer: read when asked for, remembered, and kept out of what it says. */
import type { SecretReader } from '#adapters/secrets/secret-reader';
import { secretForms } from './secret-forms.ts';

/** After a failure, a secret that is older may have been changed meanwhile. */
const SURE_MS = 60_000;

export interface Secrets {
  /** @throws {Error} in one sentence when it is not the consumer's, or cannot be read. */
  read(name: string): Promise<string>;
  /** Something failed: what was read a while ago is read anew when it is asked for next. */
  doubt(): void;
  /** Replaces every value that was read, in plain and as `secretForms` has it. */
  hide(text: string): string;
}

export function rememberedSecrets(
  names: readonly string[],
  open: (name: string) => SecretReader,
  nowMs: () => number,
): Secrets {
  const readers = new Map(names.map((name) => [name, open(name)]));
  const readAtMs = new Map<string, number>();
  const doubted = new Set<string>();
  /** Longest first: a secret may begin as another does. */
  let forms: readonly string[] = [];
  return {
    async read(name) {
      const reader = readers.get(name);
      if (reader === undefined) {
        throw new Error(
          `'${name}' is not among the consumer's secrets: name it in the pipeline file`,
        );
      }
      const fresh = doubted.delete(name);
      if (fresh || !readAtMs.has(name)) readAtMs.set(name, nowMs());
      const value = await reader({ fresh });
      forms = [...new Set([...forms, ...secretForms(value)])].sort((a, b) => b.length - a.length);
      return value;
    },
    doubt() {
      for (const [name, atMs] of readAtMs) if (nowMs() - atMs >= SURE_MS) doubted.add(name);
    },
    hide: (text) => forms.reduce((said, form) => said.replaceAll(form, '***'), text),
  };
}
