/** Tells how a source writes its times, by what they look like. */
import { scalarText } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { parseTimestamp } from '#core/record/timestamp';

export type TimeShape =
  | 'iso'
  | 'epoch-s'
  | 'epoch-ms'
  | 'epoch-us'
  | 'epoch-ns'
  /** A date and a time of no zone that anybody can know. */
  | 'no-offset'
  | 'date';

const NO_OFFSET = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DIGITS = /^\d+(\.\d+)?$/;

/** From which magnitude on: as each, the years 1973 to 5138. */
const EPOCHS: readonly (readonly [number, TimeShape])[] = [
  [1e17, 'epoch-ns'],
  [1e14, 'epoch-us'],
  [1e11, 'epoch-ms'],
  [1e8, 'epoch-s'],
];

/**
 * Say what a value looks like as a time; undefined for what looks like none.
 *
 * @example timeShape('2031-04-16T11:54:35'); // 'no-offset'
 */
export function timeShape(value: JsonValue | undefined): TimeShape | undefined {
  const text = scalarText(value);
  if (text === undefined) return undefined;
  if (DIGITS.test(text)) return EPOCHS.find(([from]) => Number(text) >= from)?.[1];
  if (DATE.test(text)) return 'date';
  if (NO_OFFSET.test(text)) return 'no-offset';
  return parseTimestamp(text, 'iso') === undefined ? undefined : 'iso';
}
