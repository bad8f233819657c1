import { hash } from 'node:crypto';
import type { Digest } from '#ports/digest';

/** The first 64 bits of SHA-256. */
export const sha256Digest: Digest = (text) => hash('sha256', text, 'hex').slice(0, 16);
