import { expect, onTestFinished, test } from 'vitest';
import { renderEvent } from '#cli/render/cloud-event';
import { createFaultPage } from '#local/faults/fault-page';
import { planFaults } from '#local/faults/plan-faults';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import { cloudAnswering, said } from '#test/cli/cloud-answering';

async function cloudWithFaults() {
  const faults = planFaults([], Math.random, SYSTEM_CLOCK);
  const handler = createFaultPage(faults);
  const wire = await openWire({ targets: {}, paths: [{ matches: () => true, handler }] });
  onTestFinished(() => wire.close());
  return { faults, fault: (...argv: string[]) => said('fault', ...argv, '--cloud', wire.url) };
}

test('a fault is added as it was said, its numbers as numbers', async () => {
  const { faults, fault } = await cloudWithFaults();
  expect(await fault('add', 'throttle-entries', 'stream=42', 'share=0.3', 'times=40')).toEqual({
    code: 0,
    out: 'f1 is added: `penstock fault clear f1` removes it.\n',
    err: '',
  });
  expect(faults.list().map(({ fault }) => fault)).toEqual([
    { kind: 'throttle-entries', stream: '42', share: 0.3, times: 40 },
  ]);
  expect((await fault('add', 'lose-tick', '--json')).out).toBe('{\n  "id": "f2"\n}\n');
});

test('faults are listed with how often they struck', async () => {
  const { faults, fault } = await cloudWithFaults();
  expect((await fault('list')).out).toBe('There is no fault.\n');
  faults.add({ kind: 'lose-tick', schedule: 'm', times: 3 });
  faults.add({ kind: 'hang' });
  faults.onTick('m');
  expect((await fault('list')).out.split('\n')).toEqual([
    'ID  KIND       WHERE AND WHEN      STRUCK',
    'f1  lose-tick  schedule=m times=3  1',
    'f2  hang       -                   0',
    '',
  ]);
  expect(JSON.parse((await fault('list', '--json')).out)).toEqual(faults.list());
});

test('one is cleared, or all', async () => {
  const { faults, fault } = await cloudWithFaults();
  for (const kind of ['hang', 'lose-tick', 'cut-after'] as const) faults.add({ kind });
  expect((await fault('clear', 'f2')).code).toBe(0);
  expect(faults.list().map(({ id }) => id)).toEqual(['f1', 'f3']);
  expect((await fault('clear', 'f2')).err).toBe('There is no fault f2.\n');
  expect((await fault('clear')).code).toBe(0);
  expect(faults.list()).toEqual([]);
});

test.each([
  [['add', 'lose-tick', 'share=2'], 'the fault.share is 2: it must be a number from 0 to 1.'],
  [['add', 'lose-tick', 'share=much'], 'the fault.share is "much": it must be a number from 0'],
  [['add', 'lose-tick', 'share='], 'the fault.share is "": it must be a number from 0 to 1.'],
  [['add', 'lose-tick', 'share'], "'share' must be name=value, as share=0.3."],
  [['add', 'explode'], 'the fault.kind is "explode": it must be one of throttle-entries, '],
  [['list', '--cloud', 'aws'], 'Faults are made in a local cloud: --cloud must be local or an'],
  [['list', '--cloud', 'localstack'], 'Faults are made in a local cloud: --cloud must be local or'],
])('%j is a wrong command line', async (argv, message) => {
  const { code, err } = await said('fault', ...argv);
  expect([code, err.slice(0, message.length)]).toEqual([2, message]);
});

test('what is no local cloud is told apart from none at all', async () => {
  const other = await cloudAnswering(404, '<html>');
  expect(await said('fault', 'list', '--cloud', other)).toEqual({
    code: 1,
    out: '',
    err: `${other} is no local cloud of Penstock.\n`,
  });
  const { code, err } = await said('fault', 'list', '--cloud', 'http://127.0.0.1:4444');
  expect([code, err.slice(0, 38)]).toEqual([1, 'No cloud answers at 127.0.0.1:4444: `p']);
});

test('who runs a cloud reads when a fault is added, strikes for the first time, or cannot', () => {
  const fault = { kind: 'lose-tick', schedule: 'm' } as const;
  const lines = (['fault-added', 'fault-hit', 'fault-failed'] as const).flatMap((kind) =>
    renderEvent({ kind, id: 'f1', fault, hits: 1, failure: 'There is one shard.' }),
  );
  expect(lines).toEqual([
    'Fault f1 is added: lose-tick schedule=m',
    'Fault f1 strikes for the first time: lose-tick schedule=m',
    'Fault f1 cannot strike: There is one shard.',
  ]);
});
