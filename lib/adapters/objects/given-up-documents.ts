/** GivenUpDocuments over the quarantine bucket. */
import type { GivenUpDocuments } from '#ports/given-up-documents';
import type { Bucket } from './bucket.ts';
import { readGivenUpDocument } from './given-up-document.ts';
import { DOCUMENTS } from './quarantine-key.ts';

/** @param consumerOf the consumer of a function; undefined when it is none of the pipeline's. */
export function bucketGivenUpDocuments(
  bucket: Bucket,
  consumerOf: (functionName: string) => string | undefined,
): GivenUpDocuments {
  return {
    async *list() {
      for await (const { key } of bucket.list(DOCUMENTS)) yield key;
    },
    async read(key) {
      const body = await bucket.get(key);
      const document = body && readGivenUpDocument(body);
      const consumer = document && consumerOf(document.functionName);
      return document && consumer !== undefined ? { ...document, consumer } : undefined;
    },
    remove: (key) => bucket.delete(key),
  };
}
