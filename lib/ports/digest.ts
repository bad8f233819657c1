/**
 * A short, stable digest of a text, and of the bytes behind it if there are any: 16 lower-case
 * hexadecimal digits, the same for a text as for its UTF-8.
 */
export type Digest = (text: string, bytes?: Uint8Array) => string;
