import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Defect } from '#core/assert';
import { sideBySide } from '#pipeline/side-by-side';
import { turns } from './consume-world.ts';

const always = () => true;

test('everything is worked on once, in order, within the bound', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 6 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 5 }),
      async (waits, concurrency) => {
        const begun: number[] = [];
        let inFlight = 0;
        const places = [...waits.keys()];
        const started = await sideBySide(
          places,
          { inFlightMax: () => concurrency, mayStart: always },
          async (at) => {
            begun.push(at);
            expect(++inFlight).toBeLessThanOrEqual(concurrency);
            await turns(waits[at]!);
            inFlight--;
          },
        );
        expect(begun).toEqual(places);
        expect(started).toBe(places.length);
        expect(inFlight).toBe(0);
      },
    ),
  ));

test('as many are in flight as the bound allows', async () => {
  let inFlight = 0;
  let most = 0;
  await sideBySide([1, 2, 3, 4, 5], { inFlightMax: () => 3, mayStart: always }, async () => {
    most = Math.max(most, ++inFlight);
    await turns(4);
    inFlight--;
  });
  expect(most).toBe(3);
});

test('a bound that falls lets nothing start until enough have ended, one that rises lets more in', async () => {
  let inFlightMax = 4;
  let inFlight = 0;
  const before: number[] = [];
  await sideBySide(
    [...Array(12).keys()],
    { inFlightMax: () => inFlightMax, mayStart: always },
    async (at) => {
      before.push(inFlight++);
      if (at === 3) inFlightMax = 2;
      if (at === 8) inFlightMax = 3;
      await turns(at + 1);
      inFlight--;
    },
  );
  expect(before).toEqual([0, 1, 2, 3, 1, 1, 1, 1, 1, 2, 2, 2]);
});

test('nothing starts after the first no', async () => {
  const answers = [true, true, false, true, true];
  const begun: number[] = [];
  const mayStart = () => answers.shift() ?? true;
  const started = await sideBySide(
    [1, 2, 3, 4],
    { inFlightMax: () => 2, mayStart },
    async (thing) => {
      begun.push(thing);
      await turns(2);
    },
  );
  expect([started, begun]).toEqual([2, [1, 2]]);
});

test('a failure stops what has not begun, and waits for what has', async () => {
  const ended: number[] = [];
  const work = async (thing: number) => {
    if (thing === 2) throw new Defect('ours');
    await turns(9);
    ended.push(thing);
  };
  const run = sideBySide([1, 2, 3, 4], { inFlightMax: () => 2, mayStart: always }, work);
  await expect(run).rejects.toThrow(Defect);
  expect(ended).toEqual([1]);
});

test('a bound of none is a defect', async () => {
  const run = sideBySide([1], { inFlightMax: () => 0, mayStart: always }, async () => {});
  await expect(run).rejects.toThrow(Defect);
});
