/** How a simulated source asks to be left alone, and from when on it may be asked again. */
import type { Dice } from '#test/simulation/dice';

export interface AskedWait {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** By our clock; 0: it named nothing that must be heeded. */
  readonly notBeforeMs: number;
}

const HTTP_DATE_MS = 1_000;

/** @param clock its own, which is what it dates by, and by how much that is ahead of ours. */
export function askedWait(
  nowMs: number,
  { skewMs, isDated }: { skewMs: number; isDated: boolean },
  dice: Dice,
): AskedWait {
  const sec = dice.pick([1, 2, 7, 30, 200]);
  const until = nowMs + sec * 1_000;
  const epochSec = Math.ceil((until + skewMs) / 1_000);
  const dated = new Date(Math.ceil((until + skewMs) / HTTP_DATE_MS) * HTTP_DATE_MS).toUTCString();
  const past = new Date(nowMs + skewMs - 60_000).toUTCString();
  const wait = (name: string, headers: Record<string, string>, notBeforeMs: number) => ({
    name,
    headers,
    notBeforeMs,
  });
  const plain = [
    wait('seconds', { 'retry-after': String(sec) }, until),
    wait('a fraction', { 'retry-after': `${sec}.25` }, until + 250),
    wait('no wait', { 'retry-after': '0' }, 0),
    wait('nonsense', { 'retry-after': dice.pick(['soon', '-5', '99999999999']) }, 0),
    wait('nothing', {}, 0),
    wait('a reset in seconds', { 'ratelimit-reset': String(sec) }, until),
  ];
  // A moment means nothing to who does not know the clock that names it.
  if (!isDated && skewMs !== 0) return dice.pick(plain);
  return dice.pick([
    ...plain,
    wait('a date', { 'retry-after': dated }, until),
    wait('a date gone by', { 'retry-after': past }, 0),
    wait('a reset as an epoch', { 'x-ratelimit-reset': String(epochSec) }, until),
    wait('a reset as an epoch in ms', { 'x-ratelimit-reset': String(epochSec * 1_000) }, until),
  ]);
}
