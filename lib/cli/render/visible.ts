/** Line ends, what moves a terminal's cursor or paints, what turns the direction of a text, halves of characters. */
const UNSEEN = /[^\P{Cc}\t]|[\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Show what a terminal would obey: what an API said may hold it, and stays within its line.
 *
 * @example visible('a\u001b[2Jb'); // 'a\\u001b[2Jb'
 */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
