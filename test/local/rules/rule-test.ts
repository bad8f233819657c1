/** Tests of the local cloud's rules: the table gives the title, so page and test say the same. */
import { test } from 'vitest';
import { ALL_RULES } from './all-rules.ts';
import type { RuledService } from './all-rules.ts';
import type { Rules } from './rule.ts';

/** `more` tells two tests of one rule apart. */
export function ruleTest<Service extends RuledService>(
  service: Service,
  id: keyof (typeof ALL_RULES)[Service] & string,
  body: () => Promise<void> | void,
  more = '',
): void {
  const rules: Rules = ALL_RULES[service];
  test(`${rules[id]?.rule ?? id}${more === '' ? '' : `: ${more}`}`, body);
}
