/** Of each half: a lease epoch and a counter of ten digits outlast any table. */
const ZEROS = '0'.repeat(10);

/** Say when a poller saw a record, sortable as text: lease epoch, then counter within the lease. */
export function observedText(seen: { epoch: number; counter: number }): string {
  return `${tenDigits(seen.epoch)}-${tenDigits(seen.counter)}`;
}

function tenDigits(count: number): string {
  const digits = String(count);
  return ZEROS.slice(digits.length) + digits;
}
