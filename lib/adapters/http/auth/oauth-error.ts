/** @source RFC 6749, 4.1.2.1 and 5.2; RFC 8707, 2; OpenID Connect Core 1.0, 3.1.2.6. */
const CODES: ReadonlySet<unknown> = new Set([
  'access_denied',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'invalid_target',
  'login_required',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
]);

/** The code that an answer's `error` holds; empty unless it is a known one: any other text may quote the request. */
export function errorCode(error: unknown): string {
  return CODES.has(error) ? String(error) : '';
}
