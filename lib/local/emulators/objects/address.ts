/** Which bucket and key a request is about. */
import type { WireRequest } from '#local/contracts';

export interface Address {
  /** Empty: it is about no one bucket. */
  readonly bucket: string;
  /** Empty: it is about the bucket itself. */
  readonly key: string;
}

/** Read the bucket from the host's first labels, else from the path's first part. */
export function addressOf({ path, headers }: Pick<WireRequest, 'path' | 'headers'>): Address {
  const host = (headers['host'] ?? headers[':authority'] ?? '').replace(/:\d+$/, '');
  const inHost = /^(.+?)\.(?:s3[.-].*|s3\.amazonaws\.com|localhost)$/.exec(host)?.[1];
  const parts = path.slice(1).split('/');
  const bucket = inHost === 's3' ? undefined : inHost;
  if (bucket !== undefined) return { bucket, key: decoded(parts.join('/')) };
  return { bucket: parts[0] ?? '', key: decoded(parts.slice(1).join('/')) };
}

/** What is not percent-encoded UTF-8 stays as it is, and is refused as such. */
function decoded(text: string): string {
  return isEncoded(text) ? decodeURIComponent(text) : text;
}

export function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
