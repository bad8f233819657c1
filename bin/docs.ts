/** Writes the pages that are generated; `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { renderCommands } from '#cli/render/reference';
import { helpProgram } from '#cli/run-cli';
import { renderReference } from '#config/render-reference';
import { renderAlarms } from '#infra/alarms/render-alarms';
import { renderFaultsPage } from '#local/faults/render-faults';
import { renderCapabilities } from '#test/clouds/render-capabilities';
import { renderRules } from '#test/local/rules/render-rules';
import { renderParity } from '#test/parity/render-parity';

writeFileSync('docs/reference/commands.md', renderCommands(helpProgram()));
writeFileSync('docs/reference/configuration.md', renderReference());
writeFileSync('docs/reference/alarms.md', renderAlarms());
writeFileSync('docs/reference/faults.md', renderFaultsPage());
writeFileSync('docs/reference/clouds.md', renderCapabilities());
writeFileSync('docs/reference/local-cloud.md', renderRules());
writeFileSync('docs/reference/parity.md', renderParity());
