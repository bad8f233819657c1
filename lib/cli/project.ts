/** The project's own places. */
import { join, resolve } from 'node:path';

/** The folder that holds `package.json`. */
export const PROJECT_ROOT = resolve(import.meta.dirname, '../..');

export const PIPELINES_DIRECTORY = join(PROJECT_ROOT, 'pipelines');

/** What Penstock writes and may be deleted at any time. */
export const SCRATCH_DIRECTORY = join(PROJECT_ROOT, '.penstock');
