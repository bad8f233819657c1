import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spentMs } from '#core/source/rate-limit';

const NOW_MS = Date.parse('2037-10-21T07:27:55Z');
const DAY_MS = 86_400_000;
const wait = (headers: Readonly<Record<string, string>>) =>
  spentMs((name) => headers[name], NOW_MS);

describe('what is said of the requests left', () => {
  const epochSec = NOW_MS / 1_000 + 33;
  test.each<[string, Record<string, string>, number]>([
    ['one header with names', { ratelimit: 'limit=100, remaining=0, reset=30' }, 30_000],
    ['a list of policies', { ratelimit: '"default";r=0;t=31' }, 31_000],
    [
      'the longest of those spent',
      { ratelimit: '"sec";r=0;t=1, "day";r=0;t=40, "x";r=9;t=99' },
      40_000,
    ],
    ['a name that holds what separates', { ratelimit: '"a,b;r=7";r=0;t=32' }, 32_000],
    [
      'no time: the whole window',
      { ratelimit: '"hour";r=0', 'ratelimit-policy': '"hour";q=9;w=3600' },
      3_600_000,
    ],
    ['three headers', { 'ratelimit-remaining': '0', 'ratelimit-reset': '34' }, 34_000],
    [
      'a fraction of a request',
      { 'x-ratelimit-remaining': '0.4', 'x-ratelimit-reset': '2.5' },
      2_500,
    ],
    ['less than nothing', { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': '35' }, 35_000],
    ['less than nothing, in names', { ratelimit: 'limit=9, remaining=-2, reset=36' }, 36_000],
    [
      'an epoch in seconds',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${epochSec}` },
      33_000,
    ],
    [
      'an epoch in ms',
      { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': `${epochSec}000` },
      33_000,
    ],
    [
      'two in one header',
      { 'x-ratelimit-remaining': '7, 0', 'x-ratelimit-reset': '5, 60' },
      60_000,
    ],
  ])('%s', (_, headers, ms) => expect(wait(headers)).toBe(ms));

  test('an epoch is judged by the clock of who named it', () => {
    const date = 'Wed, 21 Oct 2037 07:27:25 GMT';
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${epochSec}`, date };
    expect(wait(headers)).toBe(63_000);
  });

  test.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['requests are left', { ratelimit: '"default";r=1;t=30' }],
    ['requests are left, in the older words', { ratelimit: 'limit=100, remaining=3, reset=30' }],
    ['how many are left is not said', { 'x-ratelimit-reset': '30' }],
    ['until when is not said', { 'x-ratelimit-remaining': '0' }],
    [
      'garbage',
      { ratelimit: '";;r=0', 'x-ratelimit-remaining': 'none', 'x-ratelimit-reset': 'soon' },
    ],
    ['a century', { 'ratelimit-remaining': '0', 'ratelimit-reset': '3153600000000000000' }],
  ])('%s: no wait', (_, headers) => expect(wait(headers)).toBeUndefined());

  test('the wait is never shorter than the longest that makes sense, nor beyond what does', () => {
    const statement = fc.record({
      family: fc.constantFrom('ratelimit', 'x-ratelimit', 'x-rate-limit'),
      resetSec: fc.integer({ min: 0, max: 40 * 86_400 }),
      remaining: fc.nat({ max: 2 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(statement, { selector: ({ family }) => family }), (all) => {
        const headers = Object.fromEntries(
          all.flatMap(({ family, resetSec, remaining }) => [
            [`${family}-reset`, String(resetSec)],
            [`${family}-remaining`, String(remaining)],
          ]),
        );
        const sane = all.filter((one) => one.remaining === 0 && one.resetSec <= 31 * 86_400);
        const longest = Math.max(...sane.map(({ resetSec }) => resetSec * 1_000));
        expect(wait(headers)).toBe(sane.length === 0 ? undefined : longest);
      }),
    );
  });

  test('whatever is written there, it is read at once and is a wait or none', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.stringMatching(/^["a-c;=, rt0-9\\]{0,200}$/),
        (remaining, reset, ratelimit) => {
          const ms = wait({
            ratelimit,
            'ratelimit-remaining': remaining,
            'ratelimit-reset': reset,
          });
          expect(ms === undefined || (ms >= 0 && ms <= 31 * DAY_MS)).toBe(true);
        },
      ),
    );
  });
});
