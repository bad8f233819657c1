/** Writes the pages that are generated; `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { renderCommands } from '#cli/render/reference';
import { helpProgram } from '#cli/run-cli';
import { renderReference } from '#config/render-reference';
import { renderAlarms } from '#infra/alarms/render-alarms';
import { renderCapabilities } from '#test/clouds/render-capabilities';

writeFileSync('docs/reference/commands.md', renderCommands(helpProgram()));
writeFileSync('docs/reference/configuration.md', renderReference());
writeFileSync('docs/reference/alarms.md', renderAlarms());
writeFileSync('docs/reference/clouds.md', renderCapabilities());
