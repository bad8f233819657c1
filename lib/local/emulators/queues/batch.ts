/** The batches of SQS: each entry succeeds or fails by itself. */
import type { JsonInput } from '#local/aws-json';
import { ServiceError } from '#local/aws-json';
import { entriesOf } from './inputs.ts';
import { refused } from './refusal.ts';

/** @source SQS API 2012-11-05, SendMessageBatch, DeleteMessageBatch: up to ten. */
const ENTRIES_MAX = 10;

/**
 * Do each entry, and answer which of them failed; `checkAll` may refuse the whole.
 *
 * @throws {ServiceError} when the batch itself is wrong.
 */
export function onBatch(
  input: JsonInput,
  entryName: string,
  work: (entry: JsonInput) => object,
  checkAll: () => void = () => undefined,
): object {
  const entries = entriesOf(input, 'Entries');
  refuseBatch(entries, entryName);
  checkAll();
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    const { Id } = entry;
    try {
      Successful.push({ Id, ...work(entry) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      Failed.push({ Id, Code: error.code, Message: error.message, SenderFault: true });
    }
  }
  return { Successful, ...(Failed.length === 0 ? {} : { Failed }) };
}

function refuseBatch(entries: readonly JsonInput[], entryName: string): void {
  if (entries.length === 0) {
    throw refused('EmptyBatchRequest', `There should be at least one ${entryName} in the request.`);
  }
  if (entries.length > ENTRIES_MAX) {
    throw refused(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${ENTRIES_MAX}. You have sent ${entries.length}.`,
    );
  }
  const ids = new Set<unknown>();
  for (const { Id } of entries) {
    if (typeof Id !== 'string' || !/^[\w-]{1,80}$/.test(Id)) {
      throw refused(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      );
    }
    if (ids.has(Id)) throw refused('BatchEntryIdsNotDistinct', `Id ${Id} repeated.`);
    ids.add(Id);
  }
}
