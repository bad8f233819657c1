/** A refused record as an object: its key, and its text. */
import { sha256Digest } from '#adapters/system/digest';
import { strictText } from '#adapters/system/strict-text';
import type { SetAside } from '#ports/quarantine';

/** The form of object written here. */
export const OBJECT_VERSION = 1;

/**
 * Name a refused record's object: the same record refused twice has one name.
 *
 * @example quarantineKey(refused); // 'orders/not-json/2026/11/29/shardId-000000000000-4951.json'
 */
export function quarantineKey({ stage, reason, place, atMs }: SetAside): string {
  const day = new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '/');
  return `${plain(stage)}/${reason}/${day}/${plain(place)}.json`;
}

/** A key holds at most 1,024 bytes; stage, reason and day take the rest. */
const NAME_CHARACTERS_MAX = 200;

/** Safe in a URL, a path and a shell. A name that had to change carries a digest of what it was. */
function plain(text: string): string {
  const name = text.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, NAME_CHARACTERS_MAX);
  return name === text && !/^\.*$/.test(name) ? name : `${name}-${sha256Digest(text)}`;
}

/** The payload as text where it is UTF-8, so that a person can read it; else as base64. */
export function quarantineText(refused: SetAside): string {
  const { pipeline, stage, reason, detail, place, origin, atMs, payload } = refused;
  const at = new Date(atMs).toISOString();
  const bytes = payloadText(payload);
  return JSON.stringify({
    v: OBJECT_VERSION,
    pipeline,
    stage,
    reason,
    detail,
    place,
    at,
    ...(origin && { origin }),
    ...bytes,
  });
}

function payloadText(payload: Uint8Array): { payload: string } | { payloadBase64: string } {
  try {
    return { payload: strictText(payload) };
  } catch {
    return { payloadBase64: Buffer.from(payload).toString('base64') };
  }
}
