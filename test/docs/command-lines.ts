/** Finds the `penstock` command lines of a page, and reads them as the program would. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { helpProgram } from '#cli/run-cli';

export interface CommandLine {
  /** `README.md:12` */
  readonly place: string;
  /** What follows `penstock`. */
  readonly words: readonly string[];
}

const FENCE = /^```(?:sh|bash|text)\n([\s\S]*?)^```$/gm;
const INLINE = /`((?:npx )?penstock [^`\n]+)`/g;
/** In a shell, or after a prompt; `npm start --` is the demo. */
const CALL = /(?:npx |\$ (?:\S+=\S+ )*|^|<\()penstock (?<words>.+)$|^npm start -- (?<demo>.+)$/;
/** A comment, a pipe or a bracket ends a command. */
const WORD = /"[^"]*"|'[^']*'|<[a-z ]+>|[^\s"'<>|#&)]+|(?<end>[|#&<>)])/g;

export function commandLines(page: string): readonly CommandLine[] {
  const markdown = readFileSync(page, 'utf8');
  const at = (index: number) => `${page}:${markdown.slice(0, index).split('\n').length}`;
  const fenced = [...markdown.matchAll(FENCE)].flatMap(({ index, 1: body = '' }) =>
    body
      .replaceAll(/\\\n/g, ' ')
      .split('\n')
      .flatMap((line) => callIn(line, at(index))),
  );
  const prose = markdown.replaceAll(FENCE, (fence) => fence.replaceAll(/[^\n]/g, ' '));
  const inline = [...prose.matchAll(INLINE)].flatMap(({ index, 1: code = '' }) =>
    callIn(code, at(index)),
  );
  return [...fenced, ...inline];
}

function callIn(line: string, place: string): CommandLine[] {
  const { words, demo } = CALL.exec(line)?.groups ?? {};
  if (words !== undefined) return [{ place, words: wordsOf(words) }];
  return demo === undefined ? [] : [{ place, words: ['demo', ...wordsOf(demo)] }];
}

function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const { 0: word, groups } of text.matchAll(WORD)) {
    if (groups?.['end'] !== undefined) break;
    words.push(word.replaceAll(/^["']|["']$/g, ''));
  }
  return words;
}

/** What the program would say of a command line; undefined when it would begin. */
export function refusalOf({ words }: CommandLine): string | undefined {
  let command: Command = helpProgram();
  let rest = [...words];
  while (command.commands.length > 0) {
    const [name = ''] = rest;
    if (name.startsWith('-') && rest.length === 1) break;
    const next = command.commands.find((one) => one.name() === name);
    if (next === undefined) return `there is no command '${name}'`;
    command = next;
    rest = rest.slice(1);
  }
  return refusalOfArguments(command, rest);
}

function refusalOfArguments(command: Command, rest: readonly string[]): string | undefined {
  if (['-h', '--help', '--version'].includes(rest[0] ?? '')) return undefined;
  try {
    const { operands, unknown } = command.parseOptions([...rest]);
    if (unknown.length > 0) return `${command.name()} has no option ${unknown[0]}`;
    const takes = command.registeredArguments;
    const needed = takes.filter(({ required }) => required).length;
    const most = takes.some(({ variadic }) => variadic) ? Infinity : takes.length;
    if (operands.length >= needed && operands.length <= most) return undefined;
    return `${command.name()} takes ${needed} to ${most} arguments, not ${operands.length}`;
  } catch (error) {
    return String(error);
  }
}
