import { expect, test } from 'vitest';
import { secretValue } from '#local/template/generated-secret';

test('a secret that says its value has it', () => {
  expect(secretValue('a', { SecretString: 'known' })).toBe('known');
  expect(secretValue('a', {})).toBeUndefined();
});

test('one that is made up has as many letters as are asked for, and always the same', () => {
  const value = secretValue('a', { GenerateSecretString: { PasswordLength: 90 } });
  expect(value).toMatch(/^[0-9a-f]{90}$/);
  expect(secretValue('a', { GenerateSecretString: {} })).toBe(value?.slice(0, 32));
  expect(secretValue('b', { GenerateSecretString: {} })).not.toBe(value?.slice(0, 32));
});

test('it may stand among what is known', () => {
  const value = secretValue('a', {
    GenerateSecretString: {
      SecretStringTemplate: '{"user":"me"}',
      GenerateStringKey: 'password',
      PasswordLength: 9,
    },
  });
  expect(JSON.parse(value ?? '')).toEqual({
    user: 'me',
    password: expect.stringMatching(/^[0-9a-f]{9}$/),
  });
});
