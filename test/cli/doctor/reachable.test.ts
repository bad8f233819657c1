/** Why nothing answers, told apart by what the connection broke with. */
import { expect, test } from 'vitest';
import { checkReachable } from '#cli/doctor/checks/reachable';
import { settingsOf, ticketsInput } from '#test/config/pipeline-input';
import { toPollOptions } from '#functions/poll/poll-options';

const settings = settingsOf(ticketsInput());
const broken = (code: string) =>
  checkReachable({
    settings,
    options: toPollOptions(settings, undefined, { TICKETS_API_URL: 'https://tickets.test/' }),
    exchanges: [],
    last: { kind: 'broken', code },
    walk: {
      pages: [],
      end: { kind: 'no-page', answer: { kind: 'unavailable', detail: `it broke (${code})` } },
    },
    records: [],
    probe: undefined,
  });

test.each([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['ECONNREFUSED', 'connection'],
  ['UND_ERR_SOCKET', 'connection'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
])('%s is found as %s, at the URL', (code, check) => {
  expect(broken(code)).toMatchObject([
    { severity: 'error', check, field: 'source.url', sentence: expect.stringContaining(code) },
  ]);
});
