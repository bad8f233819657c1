/** VersionedSecret in memory: the reference for its contract. */
import type { SecretVersion, VersionedSecret } from '#ports/versioned-secret';

export interface MemorySecret extends VersionedSecret {
  /** As a person puts it: it counts at once. */
  put(text: string): void;
  /** The text that counts. */
  text(): string;
}

export function memorySecret(first: string): MemorySecret {
  const versions = new Map([['put-0', first]]);
  const labelled: { current: string; next?: string } = { current: 'put-0' };
  const version = (id: string): SecretVersion => ({ id, text: versions.get(id) ?? '' });
  return {
    async read(which) {
      const id = labelled[which];
      return id === undefined ? undefined : version(id);
    },
    async write({ id, text }) {
      versions.set(id, text);
      labelled.next = id;
    },
    async replace(from, to) {
      if (labelled.current === from && versions.has(to)) labelled.current = to;
      return labelled.current === to;
    },
    put(text) {
      labelled.current = `put-${versions.size}`;
      versions.set(labelled.current, text);
    },
    text: () => version(labelled.current).text,
  };
}
