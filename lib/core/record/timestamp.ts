/** Instants as text of one width: `2031-04-16T11:54:35.063000400Z`. Text order is time order. */
import { parseDecimal } from './decimal.ts';
import type { Zone } from './zone.ts';

declare const brand: unique symbol;

/** UTC, nine fraction digits, years 0000 to 9999: thirty characters. */
export type Timestamp = string & { readonly [brand]: 'Timestamp' };

/** How a source writes instants. In `iso-s` nothing finer than a second is written. */
export type TimeFormat = 'iso' | 'iso-s' | 'epoch-s' | 'epoch-ms' | 'epoch-us' | ZonedFormat;

/** What the clocks of a zone show, without their offset: date and time, or the date alone. */
export interface ZonedFormat {
  readonly kind: 'local' | 'date';
  readonly zone: Zone;
}

const FRACTION_DIGITS = 9;
const NANOS_PER_MS = 1_000_000n;
const MS_PER_MINUTE = 60_000;

/** RFC 3339, with the seconds, the colon of the offset and the `T` as optional as senders make them. */
const ISO =
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::(\d{2})(?:\.(\d+))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/;

/** A row's time, version and event time are mostly one field: what was read last is not read again. */
const latest: {
  text: string;
  format: TimeFormat;
  timestamp: Timestamp | undefined;
} = { text: '', format: 'iso', timestamp: undefined };

/**
 * Read an instant's text; undefined when it is no instant, is written in another way, or is finer
 * than a nanosecond. Nothing is rounded. A date is its beginning, and a local time that may be two
 * instants is the earlier of them.
 *
 * @example parseTimestamp('2031-04-16T13:54:35+02:00', 'iso'); // '2031-04-16T11:54:35.000000000Z'
 */
export function parseTimestamp(text: string, format: TimeFormat): Timestamp | undefined {
  if (text !== latest.text || format !== latest.format) {
    latest.timestamp = parseNew(text, format);
    latest.text = text;
    latest.format = format;
  }
  return latest.timestamp;
}

function parseNew(text: string, format: TimeFormat): Timestamp | undefined {
  switch (format) {
    case 'iso':
    case 'iso-s':
      return parseIso(text);
    case 'epoch-us':
      return parseEpoch(text, 3);
    case 'epoch-ms':
      return parseEpoch(text, 6);
    case 'epoch-s':
      return parseEpoch(text, 9);
    default:
      return parseZoned(text, format);
  }
}

const WALL: Readonly<Record<ZonedFormat['kind'], RegExp>> = {
  local: /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::(\d\d)(?:\.(\d{1,9}))?)?$/,
  date: /^\d{4}-\d\d-\d\d$/,
};

function parseZoned(text: string, { kind, zone }: ZonedFormat): Timestamp | undefined {
  const match = WALL[kind].exec(text);
  if (match === null) return undefined;
  const [, second = '00', fraction = ''] = match;
  const minute = `${text.slice(0, 10)}T${kind === 'date' ? '00:00' : text.slice(11, 16)}`;
  if (!isOnTheClock(minute, Number(second))) return undefined;
  const utc = isoSeconds(zone.instantMs(Date.parse(`${minute}:${second}Z`)));
  const digits = fraction.padEnd(FRACTION_DIGITS, '0');
  return utc === undefined ? undefined : (`${utc}.${digits}Z` as Timestamp);
}

/** As most senders write it: nothing is left out, and nothing to reckon with. */
const PLAIN_ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** By the length of such a text: what stands behind its last digit in the widest form. */
const ENDINGS: Readonly<Record<number, string>> = Object.fromEntries([
  [20, '.000000000Z'],
  ...Array.from({ length: 9 }, (_, at) => [22 + at, `${'0'.repeat(8 - at)}Z`]),
]);

function parseIso(text: string): Timestamp | undefined {
  if (!PLAIN_ISO.test(text)) return parseAnyIso(text);
  if (!isOnTheClock(text, twoDigits(text, 17))) return undefined;
  return (text.slice(0, -1) + ENDINGS[text.length]) as Timestamp;
}

function parseAnyIso(text: string): Timestamp | undefined {
  const match = ISO.exec(text);
  if (!match) return undefined;
  const [, second = '00', fraction = '', sign, hours, minutes = '0'] = match;
  if (fraction.length > FRACTION_DIGITS || !isOnTheClock(text, Number(second))) return undefined;
  const wall = `${text.slice(0, 10)}T${text.slice(11, 16)}:${second}`;
  const digits = fraction.padEnd(FRACTION_DIGITS, '0');
  if (sign === undefined) return `${wall}.${digits}Z` as Timestamp;

  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MS_PER_MINUTE;
  const wallMs = Date.parse(`${wall}Z`);
  const utc = isoSeconds(sign === '-' ? wallMs + offsetMs : wallMs - offsetMs);
  return utc === undefined ? undefined : (`${utc}.${digits}Z` as Timestamp);
}

/**
 * Whether a calendar and a clock ever show `YYYY-MM-DDTHH:MM` and the second.
 *
 * `Date.parse` would carry a 30th of February over into March; and asking it costs more than this.
 */
function isOnTheClock(text: string, second: number): boolean {
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (month < 1 || month > 12 || day < 1) return false;
  if (day > 28 && day > daysIn(100 * twoDigits(text, 0) + twoDigits(text, 2), month)) return false;
  return twoDigits(text, 11) < 24 && twoDigits(text, 14) < 60 && second < 60;
}

const ZERO = 0x30;

/** By their codes: cutting them out and reading them would cost several times as much. */
function twoDigits(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - ZERO) + text.charCodeAt(at + 1) - ZERO;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** @param nanoDigits how many digits lie between the unit and a nanosecond. */
function parseEpoch(text: string, nanoDigits: number): Timestamp | undefined {
  const decimal = parseDecimal(text);
  if (!decimal || decimal.scale > nanoDigits || decimal.digits.length > 30) return undefined;
  const magnitude = BigInt(decimal.digits + '0'.repeat(nanoDigits - decimal.scale));
  return fromNanos(decimal.negative ? -magnitude : magnitude);
}

function fromNanos(nanos: bigint): Timestamp | undefined {
  const second = 1_000n * NANOS_PER_MS;
  const fraction = ((nanos % second) + second) % second;
  const seconds = isoSeconds(Number((nanos - fraction) / NANOS_PER_MS));
  return seconds === undefined
    ? undefined
    : (`${seconds}.${String(fraction).padStart(FRACTION_DIGITS, '0')}Z` as Timestamp);
}

/** `YYYY-MM-DDTHH:MM:SS`, or undefined outside the years 0000 to 9999. */
function isoSeconds(epochMs: number): string | undefined {
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  return text.length === 24 ? text.slice(0, 19) : undefined;
}

/** Widen whole milliseconds since the epoch. @throws {RangeError} outside the years 0000 to 9999. */
export function timestampOfMs(epochMs: number): Timestamp {
  const timestamp = fromNanos(BigInt(Math.floor(epochMs)) * NANOS_PER_MS);
  if (timestamp === undefined) throw new RangeError(`no timestamp for ${epochMs} ms`);
  return timestamp;
}

/** Milliseconds since the epoch, rounded down. */
export function timestampMs(timestamp: Timestamp): number {
  return Date.parse(`${timestamp.slice(0, 23)}Z`);
}

/**
 * Write an instant the way a source reads it, rounded down to what its format can say: the digits
 * of ISO text are kept in groups of three, epochs and local times are whole.
 *
 * @example renderTimestamp(timestampOfMs(1_500), 'epoch-s'); // '1'
 */
export function renderTimestamp(timestamp: Timestamp, format: TimeFormat): string {
  switch (format) {
    case 'iso':
      return isoText(timestamp);
    case 'iso-s':
      return `${timestamp.slice(0, 19)}Z`;
    case 'epoch-us':
      return String((nanosOf(timestamp) - BigInt(timestamp.slice(26, 29))) / 1_000n);
    case 'epoch-ms':
      return String(timestampMs(timestamp));
    case 'epoch-s':
      return String(Math.floor(timestampMs(timestamp) / 1_000));
    default: {
      const wall = new Date(format.zone.wallMs(timestampMs(timestamp))).toISOString();
      return format.kind === 'date' ? wall.slice(0, 10) : wall.slice(0, 19);
    }
  }
}

/** Move an instant. @throws {RangeError} out of the years 0000 to 9999. */
export function shiftTimestamp(timestamp: Timestamp, nanos: bigint): Timestamp {
  const shifted = fromNanos(nanosOf(timestamp) + nanos);
  if (shifted === undefined) throw new RangeError(`no timestamp ${nanos} ns from ${timestamp}`);
  return shifted;
}

function nanosOf(timestamp: Timestamp): bigint {
  const fraction = BigInt(timestamp.slice(20, 20 + FRACTION_DIGITS));
  return BigInt(Date.parse(`${timestamp.slice(0, 19)}Z`)) * NANOS_PER_MS + fraction;
}

/** ISO 8601 with no more fraction digits than the instant needs: none, three, six or nine. */
export function isoText(timestamp: Timestamp): string {
  if (timestamp.endsWith('.000000000Z')) return `${timestamp.slice(0, 19)}Z`;
  if (timestamp.endsWith('000000Z')) return `${timestamp.slice(0, 23)}Z`;
  return timestamp.endsWith('000Z') ? `${timestamp.slice(0, 26)}Z` : timestamp;
}
