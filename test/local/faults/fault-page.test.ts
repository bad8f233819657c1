import { expect, test } from 'vitest';
import { createFaultPage, isFaultPath } from '#local/faults/fault-page';
import { planFaults } from '#local/faults/plan-faults';
import { steppedClock } from '#local/kit/stepped-clock';
import { ask } from '#test/local/ask';

function open() {
  const faults = planFaults([], Math.random, steppedClock(0));
  const page = createFaultPage(faults);
  const asked = async (method: string, path: string, body?: unknown) => {
    const options = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status, text } = await ask(page, method, `/_penstock/faults${path}`, options);
    return [status, text === '' ? undefined : (JSON.parse(text) as unknown)];
  };
  return { faults, asked };
}

test('a fault is added, listed with its hits, and removed', async () => {
  const { faults, asked } = open();
  expect(await asked('POST', '', { kind: 'lose-tick', schedule: 'm' })).toEqual([
    201,
    { id: 'f1' },
  ]);
  faults.onTick('m');
  expect(await asked('GET', '')).toEqual([
    200,
    [{ id: 'f1', fault: { kind: 'lose-tick', schedule: 'm' }, hits: 1 }],
  ]);
  expect(await asked('DELETE', '/f1')).toEqual([204, undefined]);
  expect(await asked('GET', '')).toEqual([200, []]);
});

test('all are removed at once', async () => {
  const { faults, asked } = open();
  faults.add({ kind: 'lose-tick' });
  faults.add({ kind: 'double-tick' });
  expect(await asked('DELETE', '')).toEqual([204, undefined]);
  expect(faults.list()).toEqual([]);
});

test('what is wrong is told, and nothing is added', async () => {
  const { faults, asked } = open();
  const [status, answer] = await asked('POST', '', { kind: 'lose-tick', share: 2 });
  expect([status, answer]).toEqual([
    400,
    { message: 'the fault.share is 2: it must be a number from 0 to 1.' },
  ]);
  expect(await asked('POST', '', [])).toMatchObject([400, {}]);
  expect(await asked('DELETE', '/f9')).toEqual([404, { message: 'There is no fault f9.' }]);
  expect(await asked('PATCH', '')).toMatchObject([405, {}]);
  expect(faults.list()).toEqual([]);
});

test('its pages are those below its path', () => {
  const paths = ['/_penstock/faults', '/_penstock/faults/f1', '/_penstock/faulty', '/faults'];
  expect(paths.map(isFaultPath)).toEqual([true, true, false, false]);
});
