/** GivenUpDocuments in memory: the reference for its contract. */
import type { GivenUp, GivenUpDocuments } from '#ports/given-up-documents';

export interface MemoryGivenUpDocuments extends GivenUpDocuments {
  readonly documents: Map<string, GivenUp>;
}

export function memoryGivenUpDocuments(): MemoryGivenUpDocuments {
  const documents: MemoryGivenUpDocuments['documents'] = new Map();
  return {
    documents,
    async *list() {
      yield* [...documents.keys()].toSorted();
    },
    read: async (key) => documents.get(key),
    async remove(key) {
      documents.delete(key);
    },
  };
}
