/** How a simulated source writes and reads moments: nanoseconds since the epoch. It shares no code with ours. */

export const MS = 1_000_000n;
export const SEC = 1_000n * MS;

export interface TimeStyle {
  /** Fraction digits of a text, at least; as many as the moment has otherwise. */
  readonly digits: number;
  /** Of a text, in minutes; 0 is written `Z`. */
  readonly offset: number;
}

export interface TimeKind {
  /** In the pipeline file. */
  readonly name: string;
  /** Rows may be written so, too; or the boundary alone. */
  readonly of: 'both' | 'boundary';
  /** What a parameter of this kind can tell apart. */
  readonly step: bigint;
  /** As JSON. */
  write(at: bigint, style: TimeStyle): string;
  /** @throws {Error} when the text is no moment. */
  read(text: string): bigint;
}

/** The zone of what names none; no clock in it is ever set. */
export const ZONE = 'Asia/Kolkata';
const ZONE_NANOS = 330n * 60n * SEC;
const DAY = 86_400n * SEC;
const BOTH = { of: 'both' } as const;

/** Each way to write a moment; another is added here. */
export const TIME_KINDS: readonly TimeKind[] = [
  { ...BOTH, name: 'iso', step: 1n, write: isoOf, read: fromIso },
  {
    ...BOTH,
    name: 'epoch-ms',
    step: MS,
    write: (at) => digitsOf(at, 6),
    read: (text) => fromDigits(text, 6),
  },
  {
    ...BOTH,
    name: 'epoch-s',
    step: SEC,
    write: (at) => digitsOf(at, 9),
    read: (text) => fromDigits(text, 9),
  },
  {
    ...BOTH,
    name: 'epoch-us',
    step: MS / 1_000n,
    write: (at) => digitsOf(at, 3),
    read: (text) => fromDigits(text, 3),
  },
  {
    ...BOTH,
    name: 'local',
    step: 1n,
    write: (at, { digits }) => isoOf(at + ZONE_NANOS, { digits, offset: 0 }).replace('Z', ''),
    read: (text) => fromIso(`${text.replace(' ', 'T')}Z`) - ZONE_NANOS,
  },
  { ...BOTH, of: 'boundary', name: 'iso-s', step: SEC, write: isoOf, read: fromWholeIso },
  {
    ...BOTH,
    of: 'boundary',
    name: 'date',
    step: DAY,
    write: isoOf,
    read: (text) => fromIso(`${text}T00:00:00Z`) - ZONE_NANOS,
  },
];

/** The beginning of the step that a moment lies in, as clocks of the zone show it. */
export function stepOf(at: bigint, step: bigint): bigint {
  return step === DAY ? floorTo(at + ZONE_NANOS, DAY) - ZONE_NANOS : floorTo(at, step);
}

export function floorTo(at: bigint, step: bigint): bigint {
  return at - (at % step);
}

function isoOf(at: bigint, { digits, offset }: TimeStyle): string {
  const wall = new Date(Number(floorTo(at, SEC) / MS) + offset * 60_000).toISOString().slice(0, 19);
  const whole = String(at % SEC).padStart(9, '0');
  const fraction = whole.slice(0, Math.max(digits, whole.replace(/0+$/, '').length));
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
  const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
  const zone = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
  return `"${wall}${fraction === '' ? '' : `.${fraction}`}${zone}"`;
}

function fromIso(text: string): bigint {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  const ms = match === null ? Number.NaN : Date.parse(`${match[1]}${match[3]}`);
  if (match === null || Number.isNaN(ms)) throw new Error(`'${text}' is no moment`);
  return BigInt(ms) * MS + BigInt((match[2] ?? '').padEnd(9, '0'));
}

/** @param places how many digits lie between the unit and a nanosecond. */
function digitsOf(at: bigint, places: number): string {
  const unit = 10n ** BigInt(places);
  const fraction = String(at % unit)
    .padStart(places, '0')
    .replace(/0+$/, '');
  return `${at / unit}${fraction === '' ? '' : `.${fraction}`}`;
}

function fromDigits(text: string, places: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new Error(`'${text}' is no moment`);
  return BigInt(match[1] + (match[2] ?? '').padEnd(places, '0').slice(0, places));
}

function fromWholeIso(text: string): bigint {
  if (text.includes('.')) throw new Error(`'${text}' is finer than a second`);
  return fromIso(text);
}
