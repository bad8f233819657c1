/** The texts by which a secret may be told, though nobody wrote it. */

/** Shorter parts stand in any text. */
const BASE64_LENGTH_MIN = 4;

/**
 * The secret itself, as a part of a URL, as a form's value, within JSON, and what base64 makes of
 * it wherever it begins, as in `Basic …` of a user and a password: less the ends, which its
 * neighbours decide as well.
 *
 * @param secret ASCII, and of four characters or more for base64 to be among them.
 * @example secretForms('a=bc'); // ['a=bc', 'a%3Dbc', 'a%3Dbc', 'a=bc', 'YT1iY', 'E9Ym', 'hPWJj', …]
 */
export function secretForms(secret: string): readonly string[] {
  const base64 = [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.from(`${' '.repeat(shift)}${secret}`);
    const [from, to] = [Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
  });
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    ...base64.filter(({ length }) => length >= BASE64_LENGTH_MIN),
  ];
}
