/** How long records are kept: between a day and a year, longer and shorter each by its own call. */
import type { JsonInput } from '#local/aws-json';
import { refused } from './refused.ts';
import type { KinesisState } from './state.ts';
import { activeStreamOf, horizonMs } from './state.ts';

const HOURS = { min: 24, max: 8_760 };

/** @throws {ServiceError} InvalidArgumentException, when they are too few or too many. */
export function retentionHoursIn(hours: number): number {
  if (hours < HOURS.min) {
    throw refused(
      `Minimum allowed retention period is ${HOURS.min} hours. Requested retention period (${hours} ` +
        'hours) is too short.',
    );
  }
  if (hours > HOURS.max) {
    throw refused(
      `Maximum allowed retention period is ${HOURS.max} hours. Requested retention period (${hours} ` +
        'hours) is too long.',
    );
  }
  return hours;
}

export function increaseRetention(state: KinesisState, input: JsonInput): object {
  return changeRetention(state, input, {
    word: 'shorter',
    other: 'Decrease',
    isWrong: (asked, now) => asked < now,
  });
}

export function decreaseRetention(state: KinesisState, input: JsonInput): object {
  return changeRetention(state, input, {
    word: 'longer',
    other: 'Increase',
    isWrong: (asked, now) => asked > now,
  });
}

function changeRetention(
  state: KinesisState,
  input: JsonInput,
  way: { word: string; other: string; isWrong: (asked: number, now: number) => boolean },
): object {
  const stream = activeStreamOf(state, input);
  const hours = retentionHoursIn(Number(input['RetentionPeriodHours']));
  if (way.isWrong(hours, stream.retentionHours)) {
    throw refused(
      `Requested retention period (${hours} hours) for stream ${stream.name} can not be ${way.word} than ` +
        `existing retention period (${stream.retentionHours} hours). Use ${way.other}RetentionPeriod API.`,
    );
  }
  // What the shorter retention hid is not shown again by a longer one.
  for (const shard of stream.shards) state.records.trim(shard, horizonMs(state, stream));
  stream.retentionHours = hours;
  state.streams.saveStream(stream);
  return {};
}
