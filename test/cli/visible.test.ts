/** What an API said is shown to a person, and steers no terminal. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printLines, sayLines } from '#cli/io';
import type { Io } from '#cli/io';
import { renderDoctor } from '#cli/render/doctor';
import { itemLines } from '#cli/render/item';
import { tailLine } from '#cli/render/tail';
import { columns } from '#cli/render/text';
import { visible } from '#cli/render/visible';

/** Clears the screen, names the window, begins a line. */
const HOSTILE = 'id\u001b[2J\u001b]0;mine\u0007\r\nok: nothing found';
const SHOWN = String.raw`id\u001b[2J\u001b]0;mine\u0007\u000d\u000aok: nothing found`;

/** What a command writes to its two outputs. */
function written(write: (io: Io) => void): string {
  const texts: string[] = [];
  const keep = (text: string) => void texts.push(text);
  write({ env: {}, out: keep, err: keep, terminalWidth: undefined });
  return texts.join('');
}

test.each([
  ['a control character', '\u001b[2J', String.raw`\u001b[2J`],
  ['one of eight bits', '\u009b2J', String.raw`\u009b2J`],
  ['a line end that few know', 'a\u2028b', String.raw`a\u2028b`],
  ['a turn of direction', 'a\u202eb', String.raw`a\u202eb`],
  ['half a character', 'a\ud800b', String.raw`a\ud800b`],
])('%s is shown as JSON would write it', (_what, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('any other text is shown as it is', () => {
  expect(visible('Zoë → 名前 👩‍👧\t"\\')).toBe('Zoë → 名前 👩‍👧\t"\\');
});

test('a line stays one line, on both outputs', () => {
  expect(written((io) => printLines(io, [HOSTILE, 'b']))).toBe(`${SHOWN}\nb\n`);
  expect(written((io) => sayLines(io, [HOSTILE, 'b']))).toBe(`${SHOWN}\nb\n`);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (lines) => {
      const text = written((io) => printLines(io, lines));
      expect(text.split('\n')).toHaveLength(lines.length + 1);
      expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
    }),
  );
});

test('a column is as wide as what it shows', () => {
  expect(
    columns([
      ['\u0007', 'x'],
      ['abc', 'y'],
    ]),
  ).toEqual([String.raw`\u0007  x`, 'abc     y']);
});

test('the doctor’s sentence on a member’s name is one line', () => {
  const sentence = `the answer is an object with \`${HOSTILE}\``;
  const finding = { severity: 'error', check: 'records', field: null, sentence } as const;
  const told = { file: 'a.ts', pipeline: 'a', pages: 1, records: 0, findings: [finding] };
  expect(written((io) => printLines(io, renderDoctor(told)))).toBe(
    `error    the answer is an object with \`${SHOWN}\`\na: 1 error on 1 page with 0 records.\n`,
  );
});

test('an item’s names and a record’s id are shown, and obeyed by nobody', () => {
  expect(written((io) => printLines(io, itemLines({ [HOSTILE]: { N: '1' } })))).toBe(
    `${SHOWN}  1\n`,
  );
  const event = JSON.stringify({ type: HOSTILE, id: 'i1', data: {} });
  const line = tailLine({
    shardId: 'shardId-000000000000',
    sequenceNumber: '7',
    partitionKey: 'k',
    arrivalTimeMs: 0,
    data: Buffer.from(event),
  });
  expect(line.split('\n')).toEqual([`1970-01-01T00:00:00.000Z  shard 0  ${SHOWN}  i1`, '    {}']);
});
