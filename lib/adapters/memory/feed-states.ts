/** FeedStates in memory: the reference for its contract. */
import type { FeedStates } from '#ports/feed-states';

export function memoryFeedStates(): FeedStates {
  const feeds = new Map<string, { readonly epoch: number; readonly cursor: string | undefined }>();
  return {
    async open({ pipeline, epoch }) {
      const { epoch: latest = 0, cursor } = feeds.get(pipeline) ?? {};
      if (latest > epoch) return 'lease-lost';
      feeds.set(pipeline, { epoch, cursor });
      return { cursor };
    },
    async save({ pipeline, epoch }, cursor) {
      if (feeds.get(pipeline)?.epoch !== epoch) return false;
      feeds.set(pipeline, { epoch, cursor });
      return true;
    },
  };
}
