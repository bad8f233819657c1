/** How a source writes times, in the terms of the core. */
import { systemZone } from '#adapters/system/zone';
import type { BoundaryFormat } from '#config/pipeline-settings';
import type { TimeFormat } from '#core/record/timestamp';
import { UTC } from '#core/record/zone';

/**
 * Make what tells a format: of one name always the same, so that what was read once is known again.
 *
 * @throws {RangeError} when the runtime knows no such zone.
 */
export function timeFormats(timeZone: string | undefined): (name: BoundaryFormat) => TimeFormat {
  const zone = timeZone === undefined ? UTC : systemZone(timeZone);
  const date = { kind: 'date', zone } as const;
  const local = { kind: 'local', zone } as const;
  return (name) => {
    if (name === 'date') return date;
    return name === 'local' ? local : name;
  };
}
