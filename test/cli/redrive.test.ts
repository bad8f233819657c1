/** penstock redrive: to one consumer, in order, and nothing is lost on the way. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { quarantineId } from '#adapters/objects/quarantine-key';
import { eventOf } from '#test/pipeline/consume-world';
import { quarantineOnTheWire, refusal } from './quarantine-on-the-wire.ts';

const REDRIVE = ['redrive', 'orders', '--consumer', 'orders'];
const FUNCTION = 'penstock-dev-orders-consume-orders';
const order = (key: string, version: number) =>
  JSON.stringify(eventOf({ key, version, data: { order_id: key, note: 'as it was' } }));
/** Refused for a reason that is over: the consumer has learned to take it. */
const once = (sequence: number, key: string, version: number) =>
  refusal(sequence, order(key, version), { reason: 'nested-too-deep' });
const keyOf = (sequence: number, reason = 'nested-too-deep') =>
  `orders/${reason}/2031/06/12/shardId-000000000003-${sequence}.json`;

/** An editor that does to each file what a shell's line does to `$file`. */
function editor(line: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'penstock-editor-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'editor');
  writeFileSync(path, `#!/bin/sh\nfor file in "$@"; do ${line}; done\n`);
  chmodSync(path, 0o755);
  return path;
}

test('what ends well leaves quarantine, what is refused again stays, and the counts add up', async () => {
  const { run, refuse, keys, table, asked } = await quarantineOnTheWire();
  await refuse(once(10, 'a', 1), once(9, 'b', 1), refusal(11, '%%%'));
  const { code, out } = await run([...REDRIVE, '--all']);
  expect(out.split('\n')).toEqual([
    'orders: 3 found = 2 written + 0 stale + 0 folded + 1 refused + 0 returned + 0 unsendable + 0 gone + 0 expired',
    'Refused again, and still there: `penstock quarantine list orders --consumer orders`',
    '',
  ]);
  expect(code).toBe(1);
  expect(asked.map(({ functionName }) => functionName)).toEqual([FUNCTION]);
  expect(asked.flatMap(({ records }) => records.map((one) => one.sequenceNumber))).toEqual([
    '9',
    '10',
    '11',
  ]);
  expect(table.get('a')?.version).toBe(eventOf({ key: 'a', version: 1 }).version);
  expect(keys()).toEqual([keyOf(11, 'not-json'), `redriven/${keyOf(10)}`, `redriven/${keyOf(9)}`]);

  const again = await run([...REDRIVE, '--all', '--json']);
  expect(again.code).toBe(1);
  expect(JSON.parse(again.out)).toMatchObject({ found: 1, refused: 1, written: 0 });
});

test('what is refused for another reason than before rests once, under the reason of now', async () => {
  const { run, refuse, keys } = await quarantineOnTheWire();
  await refuse(refusal(11, '%%%', { reason: 'given-up' }), refusal(12, '%%%'));
  const { code, out } = await run([...REDRIVE, '--all']);
  expect(code).toBe(1);
  expect(out).toContain('2 found = 0 written + 0 stale + 0 folded + 2 refused');
  expect(keys()).toEqual([keyOf(11, 'not-json'), keyOf(12, 'not-json')]);
});

test('what arrived longer ago than quarantine keeps is left out, and told', async () => {
  const { run, refuse, keys, asked } = await quarantineOnTheWire();
  const atMs = Date.now() - 22 * 86_400_000;
  const old = { ...refusal(5, order('a', 1), { reason: 'given-up' }), atMs };
  await refuse(old, once(6, 'b', 1));
  const dry = await run([...REDRIVE, '--all', '--dry-run']);
  expect(dry.out).toContain('1 record would go');
  const sentence =
    'Left out, as they arrived more than 21 days ago (quarantine.keptDays): 1 record.';
  expect(dry.out).toContain(sentence);
  const { code, out } = await run([...REDRIVE, '--all']);
  expect(code).toBe(1);
  expect(out).toContain('2 found = 1 written + ');
  expect(out).toContain(' + 0 gone + 1 expired\n');
  expect(out).toContain(sentence);
  expect(asked.flatMap(({ records }) => records.map((one) => one.sequenceNumber))).toEqual(['6']);
  expect(keys()).toHaveLength(2);
  const json = JSON.parse((await run([...REDRIVE, '--all', '--json'])).out);
  expect(json).toMatchObject({ found: 1, expired: 1, written: 0, unchanged: 0 });
});

test('what arrived as long ago as quarantine keeps still goes', async () => {
  const { run, refuse } = await quarantineOnTheWire();
  await refuse({ ...once(5, 'a', 1), atMs: Date.now() - 21 * 86_400_000 + 60_000 });
  expect((await run([...REDRIVE, '--all'])).out).toContain('1 found = 1 written');
});

test('what was sent again is listed in its own place, with how it ended', async () => {
  const { run, refuse } = await quarantineOnTheWire();
  await refuse(once(1, 'a', 1));
  expect((await run([...REDRIVE, '--all'])).code).toBe(0);
  const { out } = await run(['quarantine', 'list', 'orders', '--redriven']);
  expect(out).toMatch(new RegExp(`^${quarantineId(keyOf(1))} .+ sent again: written$`, 'm'));
  expect((await run(['quarantine', 'list', 'orders'])).out).toBe(
    'Nothing is in quarantine of orders.\n',
  );
  const shown = await run(['quarantine', 'show', 'orders', quarantineId(keyOf(1))]);
  expect(shown.out).toMatch(/^sent again +\S+Z: written$/m);
});

test('only what is chosen goes, and only to the consumer that refused it', async () => {
  const { run, refuse, keys } = await quarantineOnTheWire();
  await refuse(once(1, 'a', 1), once(2, 'b', 1), refusal(3, order('c', 1), { stage: 'audit' }));
  await run([...REDRIVE, '--id', quarantineId(keyOf(2))]);
  expect(keys()).toEqual([
    'audit/not-json/2031/06/12/shardId-000000000003-3.json',
    keyOf(1),
    `redriven/${keyOf(2)}`,
  ]);
  await run([...REDRIVE, '--key', 'a']);
  expect(keys()[0]).toBe('audit/not-json/2031/06/12/shardId-000000000003-3.json');
  expect(keys().slice(1)).toEqual([`redriven/${keyOf(1)}`, `redriven/${keyOf(2)}`]);
});

test('a dry run names what would go, in which order and to where, and sends nothing', async () => {
  const { run, refuse, keys, asked } = await quarantineOnTheWire();
  await refuse(once(100, 'a', 1), once(20, 'a', 2));
  const before = keys();
  const { code, out } = await run([...REDRIVE, '--all', '--dry-run']);
  expect(code).toBe(0);
  const lines = out.split('\n');
  expect(lines[0]).toBe(`2 records would go to ${FUNCTION}, in this order:`);
  expect(lines[1]).toMatch(/ nested-too-deep +shardId-000000000003 +20 /);
  expect(lines[2]).toMatch(/ nested-too-deep +shardId-000000000003 +100 /);
  expect({ keys: keys(), asked }).toEqual({ keys: before, asked: [] });
  const { plan } = JSON.parse((await run([...REDRIVE, '--all', '--dry-run', '--json'])).out);
  expect(plan.map((one: { sequenceNumber: string }) => one.sequenceNumber)).toEqual(['20', '100']);
});

test('nobody sends everything by saying nothing', async () => {
  const { run, refuse, asked } = await quarantineOnTheWire();
  await refuse(once(1, 'a', 1));
  const { code, err } = await run(REDRIVE);
  expect(code).toBe(2);
  expect(err).toBe(
    'Say which: --reason, --key, --id, --since or --until; or --all. --dry-run only shows them.\n',
  );
  expect(asked).toEqual([]);
});

test.each([
  [
    ['--id', 'ffffffffff'],
    'Nothing that orders refused has that ID: `penstock quarantine list orders',
  ],
  [['--all', '--rate', '0'], '--rate must be 1 or more.'],
  [
    ['--since', 'tuesday'],
    '--since takes a span such as 10m, a date such as 2031-06-12, or a time with its zone such as 2031-06-12T16:00:00Z, not',
  ],
  [['--since', '1h', '--until', '2h'], '--until is not after --since'],
  [
    ['--until', 'noon'],
    '--until takes a span such as 10m, a date such as 2031-06-12, or a time with its zone such as 2031-06-12T16:00:00Z, not',
  ],
])('%j is refused in one sentence', async (words, sentence) => {
  const { run } = await quarantineOnTheWire();
  const { code, err } = await run([...REDRIVE, ...words]);
  expect(code).toBe(2);
  expect(err).toContain(sentence);
});

test('what poll refused has no consumer: it says what to do instead', async () => {
  const { run, refuse } = await quarantineOnTheWire();
  const { origin: _none, ...polled } = refusal(1, '{}', { stage: 'poll', place: 'row-1' });
  await refuse(polled);
  const { code, err } = await run(['redrive', 'orders', '--consumer', 'poll', '--all']);
  expect(code).toBe(1);
  expect(err).toBe(
    'poll refused 1 such record before publishing, so no consumer can be sent it: mend ' +
      'pipelines/orders.ts or the source, deploy, and poll again with ' +
      '`penstock cursor set orders --at 2031-06-12T00:00:00Z`.\n',
  );
});

test('an object of another form, or without its place in the stream, stays and is told', async () => {
  const { run, refuse, put, keys } = await quarantineOnTheWire();
  const { origin: _none, ...old } = once(1, 'a', 1);
  await refuse(old);
  put(keyOf(2), '{"v":2}');
  put('orders/nested-too-deep/2031/06/12/by-hand.json', '{}');
  const before = keys();
  const { code, out } = await run([...REDRIVE, '--all']);
  expect(code).toBe(1);
  expect(out).toContain(
    '3 found = 0 written + 0 stale + 0 folded + 0 refused + 0 returned + 3 unsendable',
  );
  expect(out).toContain(
    `${keyOf(1)} cannot be sent: it was kept before its place in the stream was`,
  );
  expect(out).toContain(
    `${keyOf(2)} cannot be sent: its form is version 2, and only 1 is known here`,
  );
  expect(out).toContain('by-hand.json cannot be sent: its key names no place in the stream');
  expect(keys()).toEqual(before);
});

test('an edited payload is written, and the original is kept beside it', async () => {
  const { run, refuse, table, buckets, keys } = await quarantineOnTheWire();
  await refuse(once(1, 'a', 1), once(2, 'b', 1));
  const EDITOR = editor(
    'case "$(cat "$file")" in *\\"a\\"*) sed -i "s/as it was/mended/" "$file";; esac',
  );
  const { code, out } = await run([...REDRIVE, '--all', '--edit'], { EDITOR });
  expect(out).toContain('1 found = 1 written');
  expect(out).toContain('\n1 left unchanged, so not sent.\n');
  expect(code).toBe(0);
  expect(table.get('a')?.data).toEqual({ order_id: 'a', note: 'mended' });
  expect(table.get('b')).toBeUndefined();
  expect(keys()).toEqual([keyOf(2), `originals/${keyOf(1)}`, `redriven/${keyOf(1)}`]);
  const [original, redriven] = keys()
    .slice(1)
    .map((key) =>
      JSON.parse(
        Buffer.from(
          buckets.get('penstock-dev-orders-refused-000000000000-us-east-1', key)!,
        ).toString(),
      ),
    );
  expect(original.payload).toBe(order('a', 1));
  expect(redriven.payload).toBe(order('a', 1));
  expect(JSON.parse(redriven.redriven.edited).data.note).toBe('mended');
});

test('an edited payload that is no event sends nothing, and the files stay', async () => {
  const { run, refuse, asked } = await quarantineOnTheWire();
  await refuse(once(1, 'a', 1), once(2, 'b', 1));
  const { code, err } = await run([...REDRIVE, '--all', '--edit'], {
    EDITOR: editor('sed -i "s/subject/object/" "$file"'),
  });
  expect(code).toBe(1);
  const files = [...err.matchAll(/^(\/\S+\.json): not-an-event: `subject` holds .+\.$/gm)];
  expect(files).toHaveLength(2);
  expect(err).toContain('Nothing was sent; the files stay.');
  expect(asked).toEqual([]);
  for (const [, path = ''] of files) expect(readFileSync(path, 'utf8')).toContain('"object"');
  rmSync(files[0]![1]!.replace(/[^/]+$/, ''), { recursive: true });
});

test('an edited payload that is refused again leaves the original and the edit', async () => {
  const { run, refuse, keys, buckets } = await quarantineOnTheWire(() => true);
  await refuse(once(1, 'a', 1));
  const { code, err } = await run([...REDRIVE, '--all', '--edit'], {
    EDITOR: editor('sed -i "s/as it was/still too deep/" "$file"'),
  });
  expect(code).toBe(1);
  const directory = /What you edited is in (\S+)\.\n$/.exec(err)![1]!;
  expect(existsSync(join(directory, `${quarantineId(keyOf(1))}.json`))).toBe(true);
  rmSync(directory, { recursive: true });
  const original = `originals/${keyOf(1)}`;
  expect(keys()).toContain(original);
  expect(
    JSON.parse(
      Buffer.from(
        buckets.get('penstock-dev-orders-refused-000000000000-us-east-1', original)!,
      ).toString(),
    ).payload,
  ).toBe(order('a', 1));
});

test.each([
  [{}, 2, 'No editor is named: set EDITOR, as in EDITOR=nano.\n'],
  [{ EDITOR: 'exit 3; :' }, 1, 'ended with 3: nothing was sent.'],
])('without an editor, or one that fails, nothing is sent: %j', async (env, code, sentence) => {
  const { run, refuse, asked } = await quarantineOnTheWire();
  await refuse(once(1, 'a', 1));
  const ended = await run([...REDRIVE, '--all', '--edit'], env);
  expect(ended.code).toBe(code);
  expect(ended.err).toContain(sentence);
  expect(asked).toEqual([]);
  const left = /The files are in (\S+)\.\n$/.exec(ended.err)?.[1];
  if (left !== undefined) rmSync(left, { recursive: true });
});
