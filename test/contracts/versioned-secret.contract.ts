import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { VersionedSecret } from '#ports/versioned-secret';

export interface OpenedSecret {
  readonly secret: VersionedSecret;
  /** As a person does it. */
  put(text: string): Promise<void>;
}

/** What every VersionedSecret promises. @param open answers one whose text is given. */
export function versionedSecretContract(
  name: string,
  open: (text: string) => Promise<OpenedSecret>,
): void {
  async function opened() {
    const { secret, put } = await open('one');
    const current = async () => (await secret.read('current'))!;
    const written = async (text: string) => {
      const next = { id: randomUUID(), text };
      await secret.write(next);
      return next;
    };
    return { secret, put, current, written };
  }

  describe(`VersionedSecret: ${name}`, () => {
    test('holds what was put, and nothing to follow it', async () => {
      const { secret, current } = await opened();
      expect((await current()).text).toBe('one');
      expect(await secret.read('next')).toBeUndefined();
    });

    test('what is written does not count until it replaces what it is to follow', async () => {
      const { secret, current, written } = await opened();
      const first = await current();
      const next = await written('two');
      expect(await current()).toEqual(first);
      expect(await secret.read('next')).toEqual(next);
      expect(await secret.replace(first.id, next.id)).toBe(true);
      expect(await current()).toEqual(next);
    });

    test('again, and again: each version follows the one before it', async () => {
      const { secret, current, written } = await opened();
      for (const text of ['two', 'three', 'four']) {
        const before = await current();
        expect(await secret.replace(before.id, (await written(text)).id)).toBe(true);
        expect((await current()).text).toBe(text);
      }
    });

    test('written or replaced twice, as after a lost answer, is as once', async () => {
      const { secret, current, written } = await opened();
      const first = await current();
      const next = await written('two');
      await secret.write(next);
      expect(await secret.replace(first.id, next.id)).toBe(true);
      expect(await secret.replace(first.id, next.id)).toBe(true);
      expect(await current()).toEqual(next);
    });

    test('what a person put meanwhile stays', async () => {
      const { secret, current, put, written } = await opened();
      const first = await current();
      const next = await written('two');
      await put('by hand');
      expect(await secret.replace(first.id, next.id)).toBe(false);
      expect((await current()).text).toBe('by hand');
    });

    test('of two that would replace the same version, one does', async () => {
      const { secret, current, written } = await opened();
      const first = await current();
      const left = await written('left');
      expect(await secret.replace(first.id, left.id)).toBe(true);
      const right = await written('right');
      expect(await secret.replace(first.id, right.id)).toBe(false);
      expect(await current()).toEqual(left);
    });
  });
}
