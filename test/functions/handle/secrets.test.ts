import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rememberedSecrets } from '#functions/handle/secrets';

/** Secrets that were read, in this order. */
async function known(...values: readonly string[]) {
  const secrets = rememberedSecrets(
    Object.keys(values),
    (at) => async () => values[Number(at)]!,
    () => 0,
  );
  for (const name of Object.keys(values)) await secrets.read(name);
  return secrets;
}

test('a secret that begins as another does is hidden whole, whichever was read first', async () => {
  for (const values of [
    ['tok-1', 'tok-1-more'],
    ['tok-1-more', 'tok-1'],
  ]) {
    const { hide } = await known(...values);
    expect(hide('a tok-1-more and a tok-1')).toBe('a *** and a ***');
  }
});

test('of the credentials of Basic auth the user is left, and no character of the secret', async () => {
  const { hide } = await known('s3cr3t-w0rd');
  const basic = Buffer.from('shop:s3cr3t-w0rd').toString('base64');
  expect(hide(`401 for Basic ${basic}`)).toBe('401 for Basic c2hvcDp***A==');
});

/** What a token may hold: its reader lets nothing else in. */
const secret = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 40,
});
/** Nothing of a secret, and of any number of bytes. */
const around = fc.string({ unit: fc.constantFrom(' ', 'é', '€'), maxLength: 5 });

test.each([
  ['as it is', (text: string) => text],
  ['as a part of a URL', encodeURIComponent],
  ['as the value of a form', (text: string) => new URLSearchParams({ text }).toString()],
  ['within JSON', (text: string) => JSON.stringify({ text })],
])('of a secret %s nothing is left, and of what is around it all', async (_, form) => {
  await fc.assert(
    fc.asyncProperty(secret, around, around, async (value, before, after) => {
      const { hide } = await known(value);
      const rest = form(`${before}SECRET${after}`).replace('SECRET', '***');
      expect(hide(form(`${before}${value}${after}`))).toBe(rest);
    }),
  );
});

test.each(['base64', 'base64url'] as const)(
  'of a secret anywhere in %s a byte is left at most, of its two ends together',
  async (encoding) => {
    await fc.assert(
      fc.asyncProperty(secret, around, around, async (value, before, after) => {
        const { hide } = await known(value);
        const said = Buffer.from(`${before}${value}${after}`).toString(encoding);
        const hidden = hide(said);
        const charactersGone = said.length - hidden.replace('***', '').length;
        expect(charactersGone * 6).toBeGreaterThanOrEqual((value.length - 1) * 8);
      }),
    );
  },
);
