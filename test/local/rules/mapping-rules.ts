import type { Rules } from './rule.ts';
import { API_RULES } from './mapping/api-rules.ts';
import { BATCH_RULES, PLACE_RULES } from './mapping/batch-rules.ts';
import { FAILURE_RULES } from './mapping/failure-rules.ts';
import { FILTER_RULES } from './mapping/filter-rules.ts';
import { WINDOW_RULES } from './mapping/window-rules.ts';

export const MAPPING_RULES = {
  ...BATCH_RULES,
  ...PLACE_RULES,
  ...FAILURE_RULES,
  ...FILTER_RULES,
  ...WINDOW_RULES,
  ...API_RULES,
} as const satisfies Rules;
