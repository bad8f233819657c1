/** Random passwords, as GetRandomPassword makes them. */
import type { Chance } from '#local/contracts';
import { count, refused } from './inputs.ts';

type Members = Readonly<Record<string, unknown>>;

/** @source Secrets Manager API 2017-10-17, GetRandomPassword. */
const KINDS = [
  ['ExcludeUppercase', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  ['ExcludeLowercase', 'abcdefghijklmnopqrstuvwxyz'],
  ['ExcludeNumbers', '0123456789'],
  ['ExcludePunctuation', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
] as const;

const LENGTH = { otherwise: 32, min: 1, max: 4_096 };

/** @throws {ServiceError} when no such password can be. */
export function generatePassword(asked: Members, chance: Chance): string {
  const length = count(asked, 'PasswordLength', LENGTH) ?? LENGTH.otherwise;
  const excluded = String(asked['ExcludeCharacters'] ?? '');
  const kinds = [
    ...KINDS.flatMap(([member, characters]) => (isTrue(asked[member]) ? [] : [characters])),
    ...(isTrue(asked['IncludeSpace']) ? [' '] : []),
  ]
    .map((characters) => [...characters].filter((one) => !excluded.includes(one)))
    .filter((characters) => characters.length > 0);
  const all = kinds.flat();
  const required =
    asked['RequireEachIncludedType'] === undefined || isTrue(asked['RequireEachIncludedType']);
  if (all.length === 0 || (required && length < kinds.length)) {
    throw refused('InvalidParameterException', 'No password fits what is excluded and required.');
  }
  const one = (from: readonly string[]): string => from[Math.floor(chance() * from.length)] ?? '';
  const letters = required ? kinds.map(one) : [];
  while (letters.length < length) letters.push(one(all));
  for (let at = letters.length - 1; at > 0; at--) {
    const other = Math.floor(chance() * (at + 1));
    [letters[at], letters[other]] = [letters[other] ?? '', letters[at] ?? ''];
  }
  return letters.join('');
}

function isTrue(value: unknown): boolean {
  return value === true;
}
