/** Whether the pipeline's map leaves anything. */
import type { Check } from '#cli/doctor/finding';
import { plural } from '#cli/render/text';

export const checkMap: Check = ({ records }) =>
  records.length === 0 || records.some(({ row }) => row.kind !== 'filtered')
    ? []
    : [
        {
          severity: 'note',
          check: 'map-leaves-none',
          field: 'map',
          sentence: `The map returns null for all of ${plural(records.length, 'record')}: none would be published.`,
        },
      ];
