/** The rows of a simulated source, and how they change. */
import type { Dice } from '#test/simulation/dice';
import { floorTo, MS, SEC } from './moments.ts';
import type { TimeKind, TimeStyle } from './moments.ts';
import type { Row } from './row.ts';

export interface RowRules {
  /** A listing shows each key once, as it is now; or each change, for good. */
  readonly shows: 'keys' | 'changes';
  /** Moments that rows hold are multiples of this. */
  readonly tick: bigint;
  /** No two rows share a moment. */
  readonly hasTies: boolean;
  /** How long after its moment a row may still come to light; less than the horizon. */
  readonly latenessMs: number;
  /** Its clock less ours. */
  readonly skewMs: number;
  readonly time: TimeKind;
  readonly style: TimeStyle;
  readonly ids: 'texts' | 'numbers';
  /** Whether a row's contents tell its number. Where they do not, one may come back: A, B, A. */
  readonly isNumbered: boolean;
  /** Rows may be dated in the future; and change once more though that moves them back in time. */
  readonly future: 'none' | 'stays' | 'changes';
  /** Some rows hold no moment; they never change. */
  readonly hasNulls: boolean;
  readonly hasPoison: boolean;
  /** A row may go from the listing: untold, so that nobody learns of it; or told, as absence or by a feed. */
  readonly going: 'never' | 'untold' | 'told';
  /** Where a feed tells: whether it says which change a delete was. */
  readonly feed: 'none' | 'with versions' | 'without versions';
  /** Members that say whether a row is deleted, as JSON after a comma; undefined: none ever is. */
  readonly deletion: ((isDeleted: boolean, at: string) => string) | undefined;
}

export interface SourceRows {
  /** Rows from before the first poll. */
  fill(count: number, nowMs: number): void;
  change(nowMs: number): void;
  /** What a listing shows now, in no order. */
  shown(nowMs: number): readonly Row[];
  /** What a feed of deletes shows now. */
  gone(nowMs: number): readonly Row[];
  /** When what a listing shows now last changed. */
  changedMs(nowMs: number): number;
  /** Every row there ever was, by its number. */
  readonly history: readonly Row[];
  /** The newest row of each key. What vanished is not among them. */
  newest(): ReadonlyMap<string, Row>;
  readonly vanished: ReadonlySet<string>;
  /** When everything has come to light. */
  litMs(): number;
}

interface Kept {
  readonly row: Row;
  readonly fromMs: number;
}

const HOUR_MS = 3_600_000;
const AMOUNTS = [
  '0',
  '12.50',
  '-0',
  '1e400',
  '0.1000',
  '36028813724316572',
  '98765432109876543210.123456789012345678',
];
const NOTES = ['""', '"naïve 🦊\\n\\u0000"', 'null', '[[],{}]', '{"__proto__":{"a":1}}'];

export function sourceRows(rules: RowRules, dice: Dice): SourceRows {
  const kept = new Map<string, Kept>();
  const history: Row[] = [];
  const newest = new Map<string, Row>();
  const vanished = new Set<string>();
  const told: Kept[] = [];
  const changedAtMs: number[] = [];
  const untouchable = new Map<string, number>();
  const taken = new Set<bigint>();
  let latest = 0n;
  let litMs = 0;

  return {
    history,
    vanished,
    newest: () => newest,
    litMs: () => litMs,
    changedMs: (nowMs) => Math.max(0, ...changedAtMs.filter((atMs) => atMs <= nowMs)),
    gone: (nowMs) => told.filter(({ fromMs }) => fromMs <= nowMs).map(({ row }) => row),
    fill(count, nowMs) {
      const ages = Array.from({ length: count }, () => dice.below(24) * HOUR_MS + 60_000);
      for (const age of ages.toSorted((a, b) => b - a)) insert(nowMs - age, nowMs, 'old');
    },
    change(nowMs) {
      const dies = rules.deletion !== undefined && dice.once(4);
      const old = touchable(nowMs);
      const here = old.filter((key) => !isGone(key));
      if (rules.going !== 'never' && here.length > 0 && dice.once(4))
        return go(dice.pick(here), nowMs);
      if (old.length === 0 || dice.once(3)) return insert(nowMs, nowMs, fateOf());
      const key = dice.pick(old);
      put({ key, atMs: nowMs, isDeleted: dies && newest.get(key)?.isDeleted === false }, nowMs);
    },
    shown: (nowMs) =>
      [...kept.values()].filter(({ fromMs }) => fromMs <= nowMs).map(({ row }) => row),
  };

  type Fate = 'old' | 'plain' | 'late' | 'future' | 'null' | 'poison';

  function fateOf(): Fate {
    if (rules.latenessMs > 0 && dice.once(3)) return 'late';
    if (rules.future !== 'none' && dice.once(8)) return 'future';
    return 'plain';
  }

  function insert(atMs: number, nowMs: number, fate: Fate): void {
    const isNull = fate === 'old' && rules.hasNulls && dice.once(4);
    const isPoison = !isNull && rules.hasPoison && dice.once(8);
    const key = newKey(history.length + 1);
    const whenMs = fate === 'future' ? atMs + 24 * HOUR_MS : atMs;
    const lateMs = fate === 'late' ? dice.below(rules.latenessMs) : 0;
    put({ key, atMs: whenMs, lateMs, isNull, isPoison, isDeleted: false }, nowMs);
    // A change that comes to light behind a later one of its key is in no order.
    if (lateMs > 0) untouchable.set(key, rules.shows === 'changes' ? Infinity : nowMs + lateMs);
    if (isNull || isPoison || (fate === 'future' && rules.future === 'stays'))
      untouchable.set(key, Infinity);
  }

  function put(
    one: {
      key: string;
      atMs: number;
      lateMs?: number;
      isNull?: boolean;
      isPoison?: boolean;
      isDeleted: boolean;
    },
    nowMs: number,
  ): void {
    const { key, isDeleted, isPoison = false } = one;
    const n = history.length + 1;
    const at = one.isNull ? undefined : momentOf(one.atMs, one.atMs > nowMs);
    const place = rules.shows === 'changes' ? BigInt(n) : rules.ids === 'texts' ? key : BigInt(key);
    const row: Row = {
      key,
      place,
      n,
      at,
      isDeleted,
      isPoison,
      text: textOf({ key, n, at, isDeleted, isPoison }),
    };
    const fromMs = nowMs + (one.lateMs ?? 0);
    changedAtMs.push(nowMs + (one.lateMs ?? 0));
    history.push(row);
    newest.set(key, row);
    kept.set(rules.shows === 'keys' ? key : String(n), { row, fromMs });
    litMs = Math.max(litMs, fromMs);
  }

  /** By the source's own clock, which never goes back. */
  function momentOf(atMs: number, isFuture: boolean): bigint {
    const now = BigInt(atMs + rules.skewMs) * MS + BigInt(dice.below(1_000_000));
    let at = floorTo(isFuture || now > latest ? now : latest, rules.tick);
    while (!rules.hasTies && taken.has(at)) at += rules.tick;
    taken.add(at);
    if (!isFuture && at > latest) latest = at;
    return at;
  }

  function textOf(row: Pick<Row, 'key' | 'n' | 'at' | 'isDeleted' | 'isPoison'>): string {
    const { n, at, isDeleted, isPoison } = row;
    const id = rules.ids === 'texts' ? JSON.stringify(row.key) : row.key;
    const when = at === undefined ? 'null' : rules.time.write(at, rules.style);
    const seen = new Date(Number((at ?? SEC) / MS)).toISOString();
    const rev = rules.isNumbered ? `,"rev":${n}` : '';
    const amount = rules.isNumbered && dice.once(3) ? dice.pick(AMOUNTS) : String(dice.below(2));
    const note = rules.isNumbered ? dice.pick(NOTES) : 'null';
    const deletion =
      rules.deletion === undefined ? '' : `,${rules.deletion(isDeleted, `"${seen}"`)}`;
    return (
      `{"id":${isPoison ? 'null' : id}${rev},"meta":{"changed":${when}},"seen_at":"${seen}"` +
      `,"amount":${amount},"note":${note}${deletion}}`
    );
  }

  function touchable(nowMs: number): readonly string[] {
    return [...newest.keys()].filter(
      (key) => !vanished.has(key) && nowMs >= (untouchable.get(key) ?? 0),
    );
  }

  function isGone(key: string): boolean {
    return rules.going !== 'never' && newest.get(key)?.isDeleted === true;
  }

  function go(key: string, nowMs: number): void {
    const entry = rules.feed === 'none' ? undefined : entryOf(key, nowMs);
    // Nobody can tell two deletes of a key apart that look alike.
    if (entry !== undefined && told.some(({ row }) => row.text === entry.text)) return;
    changedAtMs.push(nowMs);
    kept.delete(key);
    if (rules.going === 'untold') return void vanished.add(key);
    newest.set(key, { ...(newest.get(key) as Row), isDeleted: true });
    if (entry !== undefined) tell(entry, nowMs);
  }

  /** What a feed says of a delete. */
  function entryOf(key: string, nowMs: number): Row {
    const n = history.length + 1;
    const at = momentOf(nowMs, false);
    const id = rules.ids === 'texts' ? JSON.stringify(key) : key;
    const rev = rules.feed === 'with versions' ? `,"rev":${n}` : '';
    const text = `{"id":${id}${rev},"at":${rules.time.write(at, rules.style)}}`;
    return { key, place: BigInt(n), n, at, isDeleted: true, isPoison: false, text };
  }

  function tell(entry: Row, nowMs: number): void {
    const lateMs = rules.latenessMs > 0 && dice.once(3) ? dice.below(rules.latenessMs) : 0;
    history.push(entry);
    told.push({ row: entry, fromMs: nowMs + lateMs });
    // Of a key that is made again before its delete comes to light, nobody knows which came first.
    if (lateMs > 0) untouchable.set(entry.key, Infinity);
    litMs = Math.max(litMs, nowMs + lateMs);
  }

  /** Two numbers of this size are one as doubles; and some texts are names that a language knows. */
  function newKey(n: number): string {
    if (rules.ids === 'numbers')
      return String(9_007_199_254_740_993n + BigInt((n * 7_919) % 1_000));
    return (
      dice.pick(['k', 'ключ-', '🦊', 'a/b%', '__proto__', 'A&=+']) + String((n * 7_919) % 1_000)
    );
  }
}
