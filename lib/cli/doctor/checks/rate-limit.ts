/** What the source says of how often it may be asked. */
import type { Check } from '#cli/doctor/finding';

const RATE_HEADER = /^(retry-after|(x-)?rate-?limit(-[a-z-]+)?)$/;

/** Numbers, units and dates; anything else may be what nobody is to read. */
const PLAIN = /^[\w ,;:="./+-]{1,80}$/;

export const checkRateLimit: Check = ({ exchanges }) => {
  const seen = new Map<string, string>();
  for (const exchange of exchanges) {
    if (exchange.kind !== 'answered') continue;
    for (const [name, value] of exchange.headers) {
      if (RATE_HEADER.test(name) && PLAIN.test(value)) seen.set(name, value);
    }
  }
  if (seen.size === 0) return [];
  const named = Array.from(seen, ([name, value]) => `${name}: ${value}`);
  return [
    {
      severity: 'note',
      check: 'rate-limit',
      field: 'schedule',
      sentence: `The source names its limits: ${named.join('; ')}.`,
    },
  ];
};
