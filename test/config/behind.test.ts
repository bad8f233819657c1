import { describe, expect, test } from 'vitest';
import { behindMinutesMax } from '#config/behind-age';
import { faultsOf, handlerInput, settingsOf, ticketsInput } from './pipeline-input.ts';

function fileWith(behind: unknown): unknown {
  const { poll, ...file } = ticketsInput();
  return { ...file, poll: { ...poll, behind } };
}

describe('how far behind consumers may be', () => {
  test('is half of what the first of them gives up, unless the file says otherwise', () => {
    const { consumers } = ticketsInput();
    const quick = handlerInput({ recordAgeMaxHours: 5 });
    const { poll, consumers: both } = settingsOf(
      ticketsInput({ consumers: [...consumers, quick] }),
    );
    expect(poll.behind).toEqual({ reaction: 'pause' });
    expect(behindMinutesMax(poll, both)).toBe(150);
    const bounded = settingsOf(fileWith({ ageMinutesMax: 21, reaction: 'go-on' }));
    expect(bounded.poll.behind).toEqual({ ageMinutesMax: 21, reaction: 'go-on' });
    expect(behindMinutesMax(bounded.poll, both)).toBe(21);
  });

  test('is not looked at where the file says so', () => {
    const { poll, consumers } = settingsOf(fileWith({ reaction: 'ignore' }));
    expect(behindMinutesMax(poll, consumers)).toBeUndefined();
  });

  test('is less than what is given up, or it would never be reached', () => {
    expect(faultsOf(fileWith({ ageMinutesMax: 779 }))).toEqual([]);
    expect(faultsOf(fileWith({ ageMinutesMax: 780 }))).toEqual([
      'poll.behind.ageMinutesMax: must be less than 780, the minutes of the shortest consumers[].recordAgeMaxHours: what is older is given up',
    ]);
  });

  test.each([
    [true, 'poll.behind: must be an object'],
    [{ reaction: 'wait' }, "poll.behind.reaction: must be 'pause', 'go-on' or 'ignore'"],
    [{ ageMinutesMax: 0 }, 'poll.behind.ageMinutesMax: must be at least 1'],
    [{ minutes: 3 }, "poll.behind.minutes: unknown key; did you mean 'ageMinutesMax'?"],
  ])('%j is refused in one sentence', (behind, sentence) => {
    expect(faultsOf(fileWith(behind))).toEqual([sentence]);
  });
});
