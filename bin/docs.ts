/** Writes the pages that are generated; `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { renderReference } from '#config/render-reference';

writeFileSync('docs/reference/configuration.md', renderReference());
