/** Answers of S3. */
import type { WireResponse } from '#local/contracts';
import { element, errorDocument } from './documents.ts';

export function fail(
  status: number,
  code: string,
  message: string,
  details: Readonly<Record<string, string>> = {},
): WireResponse {
  const members = Object.entries(details).map(([name, value]) => element(name, value));
  return xml(status, errorDocument({ code, message, members }));
}

export function xml(status: number, body: string): WireResponse {
  return { status, headers: { 'content-type': 'application/xml' }, body };
}

export function notImplemented(what: string): WireResponse {
  return fail(501, 'NotImplemented', `The local cloud has no ${what}.`);
}
