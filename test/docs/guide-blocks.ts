/** The shell blocks of a guide, and what a comment above each, unseen on the page, says of it. */
import { readFileSync } from 'node:fs';

export interface GuideBlock {
  /** `docs/guide/first-deploy.md:12` */
  readonly place: string;
  readonly commands: string;
  readonly verdict: Verdict;
  /** What the page shows below it as printed. */
  readonly shown: string | undefined;
}

export type Verdict =
  /** A test runs it, where it can be run, until it prints that. */
  | { readonly kind: 'run'; readonly where: string; readonly prints: string | undefined }
  /** It sets what a test sets by itself, or no test can run it. */
  | { readonly kind: 'chosen' | 'not run'; readonly reason: string }
  | { readonly kind: 'unclassified' };

const BLOCK = /(?:^<!-- (?<note>.+) -->\n)?^```sh\n(?<commands>[\s\S]*?)^```$/gm;
const SHOWN = /^\n*(?:[^\n`][^\n]*\n+)?```text\n(?<shown>[\s\S]*?)^```$/m;

export function guideBlocks(page: string): readonly GuideBlock[] {
  const markdown = readFileSync(page, 'utf8');
  return [...markdown.matchAll(BLOCK)].map((match) => {
    const { note = '', commands = '' } = match.groups ?? {};
    const rest = markdown.slice(match.index + match[0].length);
    const below = rest.slice(0, rest.search(/^(?:<!--|```sh|#)/m));
    return {
      place: `${page}:${markdown.slice(0, match.index).split('\n').length}`,
      commands,
      verdict: verdictOf(note),
      shown: SHOWN.exec(below)?.groups?.['shown'],
    };
  });
}

function verdictOf(note: string): Verdict {
  const [, kind, rest = ''] = /^(run|chosen|not run): (.+)$/.exec(note) ?? [];
  if (kind === 'chosen' || kind === 'not run') return { kind, reason: rest };
  if (kind !== 'run') return { kind: 'unclassified' };
  const [where = '', prints] = rest.split('; prints: ');
  return { kind, where, prints };
}
