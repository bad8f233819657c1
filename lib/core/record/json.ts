/** JSON whose numbers keep every digit they came with. */

/**
 * A number kept as its source text, since a double would change its digits (`10.00`, 2^53 + 1).
 *
 * It is what `JSON.rawJSON(text)` returns, so `JSON.stringify` writes the digits back unchanged.
 */
export interface ExactNumber {
  readonly rawJSON: string;
}

export type JsonValue = JsonScalar | readonly JsonValue[] | JsonObject;

export type JsonScalar = null | boolean | number | string | ExactNumber;

export interface JsonObject {
  readonly [member: string]: JsonValue;
}
