/** How sources write instants, and what they make of the text that they are asked with. */
import { timeZone } from '#local/emulators/scheduler/local-time';

const MS_NANOS = 1_000_000n;
const SECOND_NANOS = 1_000_000_000n;
const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;

export interface TimeWay {
  /** Nanoseconds that nothing is cut off from when it is written; of what has no offset, a second. */
  readonly tickNanos: bigint;
  render(nanos: bigint): string;
  /** What a source takes an instant for that knows no more of it than it shows. */
  shown(nanos: bigint): bigint;
  /** Below, at or above zero; where `coarse`, of what the way of writing tells apart. */
  compare(nanos: bigint, text: string, coarse: boolean): number;
}

/** Which instant a source takes for what its clocks show twice, or not at all; naive ones take none. */
export type Reading = 'earlier' | 'later' | 'naive';

const sign = <T extends bigint | string>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);

/** By what the file calls them: ways that count from an epoch, or write UTC. */
export const WAYS = {
  iso: utc(1n, (nanos) => isoOf(nanos, 9), nanosOfIso),
  'iso-s': utc(SECOND_NANOS, (nanos) => isoOf(nanos, 0), nanosOfIso),
  'epoch-s': epoch(SECOND_NANOS),
  'epoch-ms': epoch(MS_NANOS),
  'epoch-us': epoch(1_000n),
} as const satisfies Readonly<Record<string, TimeWay>>;

function epoch(tickNanos: bigint): TimeWay {
  return utc(
    tickNanos,
    (nanos) => String(nanos / tickNanos),
    (text) => BigInt(text) * tickNanos,
  );
}

function utc(
  tickNanos: bigint,
  render: TimeWay['render'],
  parse: (text: string) => bigint,
): TimeWay {
  const shown = (nanos: bigint) => nanos - (nanos % tickNanos);
  const compare: TimeWay['compare'] = (nanos, text, coarse) =>
    sign(coarse ? shown(nanos) : nanos, parse(text));
  return { tickNanos, render, shown, compare };
}

function isoOf(nanos: bigint, digits: number): string {
  const rest = String(nanos % MS_NANOS).padStart(6, '0');
  const exact = `${new Date(Number(nanos / MS_NANOS)).toISOString().slice(0, -1)}${rest}`;
  return `${digits === 0 ? exact.slice(0, 19) : exact.slice(0, 20 + digits)}Z`;
}

function nanosOfIso(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('Z', '').split('.');
  return BigInt(Date.parse(`${whole}Z`)) * MS_NANOS + BigInt(fraction.padEnd(9, '0'));
}

/** What the clocks of a zone show: date and time, or the date alone. */
export function zonedWay(kind: 'local' | 'date', zoneName: string, reading: Reading): TimeWay {
  const zone = zoneOf(zoneName);
  const exact = (nanos: bigint) => {
    const wall = new Date(zone.wallMs(Number(nanos / MS_NANOS))).toISOString().slice(0, 23);
    return `${wall}${String(nanos % MS_NANOS).padStart(6, '0')}`;
  };
  const render = (nanos: bigint) => exact(nanos).slice(0, kind === 'date' ? 10 : 19);
  const parse = (text: string) => {
    const wallMs = Date.parse(kind === 'date' ? `${text}T00:00:00Z` : `${text}Z`);
    const readings = zone.readings(wallMs);
    const ms = reading === 'later' ? Math.max(...readings) : Math.min(...readings);
    return BigInt(ms) * MS_NANOS;
  };
  return {
    tickNanos: SECOND_NANOS,
    render,
    shown: (nanos) => parse(render(nanos)),
    compare(nanos, text, coarse) {
      if (reading !== 'naive') return sign(nanos, parse(text));
      const whole = `${kind === 'date' ? `${text}T00:00:00` : text}.000000000`;
      return coarse ? sign(render(nanos), text) : sign(exact(nanos), whole);
    },
  };
}

/** By the platform's calendar, which is not what the product goes by. */
export function zoneOf(name: string) {
  const zone = timeZone(name);
  const offsets = new Map<number, number>();
  /** Clocks change at whole half hours. */
  const offsetMs = (ms: number) => {
    const at = Math.floor(ms / HALF_HOUR_MS) * HALF_HOUR_MS;
    const known = offsets.get(at);
    if (known !== undefined) return known;
    const { year, month, day, hour, minute } = zone.wallTime(at);
    const offset = Date.UTC(year, month - 1, day, hour, minute) - at;
    offsets.set(at, offset);
    return offset;
  };
  const wallMs = (ms: number) => ms + offsetMs(ms);
  return {
    wallMs,
    /** Every instant at which clocks show it; of a time that is skipped, by the clocks before and after. */
    readings(shownMs: number): readonly number[] {
      const near = [-DAY_MS, DAY_MS].map((ms) => {
        const nearMs = shownMs + ms;
        return shownMs - offsetMs(nearMs);
      });
      const meant = near.filter((ms) => wallMs(ms) === shownMs);
      return meant.length > 0 ? meant : near;
    },
    /** When the clocks change, in a year that begins at `fromMs`. */
    changes(fromMs: number): readonly number[] {
      const days = Array.from({ length: 365 }, (_, day) => fromMs + day * DAY_MS);
      return days
        .filter((ms) => offsetMs(ms) !== offsetMs(ms + DAY_MS))
        .flatMap((ms) => Array.from({ length: 48 }, (_, at) => ms + (at + 1) * HALF_HOUR_MS))
        .filter((ms) => offsetMs(ms) !== offsetMs(ms - 1));
    },
  };
}
