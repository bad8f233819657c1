/** A value as forms write it. @example formEncoded('two words'); // 'two+words' */
export function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
