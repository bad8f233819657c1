/**
 * Name one content of one version of one record, the same everywhere and at every replay.
 *
 * The digest tells two changes apart that a source's coarse clock gave one version: two contents,
 * or the same content alive and deleted.
 *
 * @param parts `version` as the source wrote it; `digest` of the kind of change and
 * the record's data.
 * @example eventId({ key: '7', version: '33Z', digest: 'ab12' }); // '7@33Z#ab12'
 */
export function eventId(parts: { key: string; version: string; digest: string }): string {
  return `${parts.key}@${parts.version}#${parts.digest}`;
}

/** Digits of each half: a lease epoch and a counter of ten digits outlast any table. */
const OBSERVED_DIGITS = 10;

/** Say when a poller saw a record, sortable as text: lease epoch, then counter within the lease. */
export function observedText(seen: { epoch: number; counter: number }): string {
  const pad = (count: number) => String(count).padStart(OBSERVED_DIGITS, '0');
  return `${pad(seen.epoch)}-${pad(seen.counter)}`;
}
