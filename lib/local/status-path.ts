/** Where the cloud speaks of itself: no service of AWS answers there, and no right is asked for. */
export const STATUS_ROOT = '/_penstock/';

export function isStatusPath(path: string): boolean {
  return path.startsWith(STATUS_ROOT);
}
