/** What the cloud says of itself: `/_penstock/health` and `/_penstock/resources`. */
import type { WireHandler } from './contracts.ts';

const ROOT = '/_penstock/';

export function isStatusPath(path: string): boolean {
  return path.startsWith(ROOT);
}

export function createStatusPages(
  resources: Readonly<Record<string, readonly string[]>>,
): WireHandler {
  const pages: Readonly<Record<string, object>> = {
    health: { status: 'ok', process: process.pid },
    resources,
  };
  return {
    async handle({ path }) {
      const page = pages[path.slice(ROOT.length)];
      const headers = { 'content-type': 'application/json' };
      if (page === undefined) return { status: 404, headers, body: '{"message":"no such page"}' };
      return { status: 200, headers, body: JSON.stringify(page) };
    },
  };
}
