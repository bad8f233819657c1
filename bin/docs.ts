/** Writes the pages that are generated; `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { renderReference } from '#config/render-reference';
import { renderCapabilities } from '#test/clouds/render-capabilities';

writeFileSync('docs/reference/configuration.md', renderReference());
writeFileSync('docs/reference/clouds.md', renderCapabilities());
