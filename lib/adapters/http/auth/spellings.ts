/** Each level of JSON within JSON doubles the backslashes. */
const BACKSLASHES = String.raw`\\{1,16}`;

/** Each level of an address within an address encodes the sign once more. */
const PERCENT = '%(?:25){0,3}';

/** Behind so many characters a letter or a digit is looked for as it is: the others cost thirty each. */
const SPELT_WHOLE = 64;

/** Behind so many, all are: a longer pattern no engine takes. A token of 30 kB has fewer signs. */
const SPELT_MAX = 1_024;

/** @source Node 24, `--max-http-header-size`: servers take no longer header. */
const CHARACTERS_MAX = 16_384;

/** What another text than the character's own stands for it in. */
const OWN_WAYS: Readonly<Record<string, string>> = {
  // A quote or a backslash that stands alone is JSON's own, and no part of a text.
  '"': `${BACKSLASHES}"`,
  '\\': String.raw`(?:\\\\){1,8}`,
  '/': String.raw`\\{0,16}/`,
  ' ': String.raw` |\+`,
};

/**
 * A pattern for every way in which JSON may spell a text, be it an address or within one: plain,
 * `\u002B`, `\/`, `%2B` or `%2b`, each for any of its characters.
 *
 * It takes time that grows with what is searched alone: no two ways begin alike, and none is endless.
 */
export function spellings(text: string): string {
  let spelt = 0;
  return Array.from(text)
    .slice(0, CHARACTERS_MAX)
    .map((character, at) => {
      const isSpelt = at < SPELT_WHOLE || !/[a-z\d]/i.test(character);
      return isSpelt && spelt++ < SPELT_MAX ? waysOf(character) : plain(character);
    })
    .join('');
}

function waysOf(character: string): string {
  const percent = [...Buffer.from(character)].map((byte) => PERCENT + hex(byte, 2));
  const unicode = character.split('').map((unit) => `${BACKSLASHES}u${hex(unit.charCodeAt(0), 4)}`);
  // Itself last: a percent sign begins its own spelling.
  const own = OWN_WAYS[character] ?? plain(character);
  return `(?:${[percent.join(''), unicode.join(''), own].join('|')})`;
}

function plain(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`);
}

/** In either case. */
function hex(value: number, digits: number): string {
  const text = value.toString(16).padStart(digits, '0');
  return text.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
