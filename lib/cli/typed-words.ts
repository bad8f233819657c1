/** A command that a person is told, so that it can be typed as it stands. */
import type { CloudOptions } from './options.ts';

/** @example typedWords(['penstock', 'status', "it's"]); // "penstock status 'it'\\''s'" */
export function typedWords(words: readonly string[]): string {
  return words.map((word) => quoted(word)).join(' ');
}

function quoted(text: string): string {
  return /^[\w.,:+/=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** What it must say to reach the same stage of the same cloud. */
export function cloudWords({ cloud, endpoint = cloud, stage }: CloudOptions): readonly string[] {
  return [
    ...(endpoint === 'local' ? [] : ['--cloud', endpoint]),
    ...(stage === 'dev' ? [] : ['--stage', stage]),
  ];
}
