/** Identifiers: random, or drawn from a chance that repeats. */
import { randomUUID } from 'node:crypto';
import type { Chance, NewId } from './contracts.ts';

export const RANDOM_ID: NewId = randomUUID;

/** UUIDs, version 4, of the chance's numbers. */
export function idsOf(chance: Chance): NewId {
  return () => {
    const bytes = Buffer.from(Array.from({ length: 16 }, () => Math.floor(chance() * 256)));
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  };
}

/** So many hexadecimal digits, of as many new ids as that takes. */
export function hexDigits(newId: NewId, count: number): string {
  // The digits of version and variant are left out: they are always the same.
  const digits = () => newId().replaceAll('-', '').slice(17);
  let text = '';
  while (text.length < count) text += digits();
  return text.slice(0, count);
}
