/** A short, stable digest of a text: 16 lower-case hexadecimal digits. */
export type Digest = (text: string) => string;
