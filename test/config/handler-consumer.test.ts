/** What a pipeline file may say of a handler, and what is said of mistakes. */
import { describe, expect, test } from 'vitest';
import { faultsOf, handlerInput, settingsOf, ticketsInput } from '#test/config/pipeline-input';

const withMail = (over: object = {}) => ({
  ...ticketsInput(),
  consumers: [{ ...handlerInput(), ...over }],
});

test('what may be left out has a default, and nothing of a table is there', () => {
  const { kind, name, file, per } = handlerInput();
  const { consumers } = settingsOf({ ...ticketsInput(), consumers: [{ kind, name, file, per }] });
  expect(consumers[0]).toMatchObject({ environment: {}, secrets: [], concurrency: 8 });
  expect(consumers[0]).not.toHaveProperty('tombstoneDays');
});

test('tombstones are not asked of it', () => {
  expect(faultsOf({ ...withMail(), quarantine: { keptDays: 3_650 } })).toEqual([]);
});

describe('one sentence is said of', () => {
  test.each([
    [{ tombstoneDays: 30 }, /^consumers\[0\]\.tombstoneDays: unknown key; valid here: kind, name/],
    [
      { file: 'mail.ts' },
      "consumers[0].file: must be a path from this file such as './handlers/shipping.ts'",
    ],
    [
      { file: './mail.js' },
      "consumers[0].file: must be a path from this file such as './handlers/shipping.ts'",
    ],
    [{ per: 'batch' }, "consumers[0].per: must be 'record' or 'key'"],
    [{ per: undefined }, 'consumers[0].per: is missing'],
    [
      { secrets: ['MAIL_TOKEN'] },
      'consumers[0].secrets[0]: must be a–z, 0–9 and hyphens, a letter first',
    ],
    [
      { environment: { PENSTOCK_TABLE: 'x' } },
      'consumers[0].environment.PENSTOCK_TABLE: is a name that the runtime reserves',
    ],
    [
      { environment: { mailUrl: 'x' } },
      "consumers[0].environment.mailUrl: must be an environment variable's name such as 'ORDERS_API_URL'",
    ],
    [{ environment: { MODE: 7 } }, 'consumers[0].environment.MODE: must be text or an object'],
    [
      { environment: { TEAM: { env: 'TICKETS_TEAM', default: 'some' } } },
      'consumers[0].environment.TEAM.default: TICKETS_TEAM already has another default in this file',
    ],
    [{ kind: 'function' }, "consumers[0].kind: must be 'table' or 'handler'"],
  ] as const)('%j', (over, sentence) => {
    const faults = faultsOf(withMail(over));
    expect(faults).toHaveLength(1);
    if (typeof sentence === 'string') expect(faults[0]).toBe(sentence);
    else expect(faults[0]).toMatch(sentence);
  });
});
