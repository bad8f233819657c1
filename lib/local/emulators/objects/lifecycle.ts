/** When objects of a bucket expire by themselves. */

export interface ExpiryRule {
  readonly id: string;
  readonly prefix: string;
  readonly days: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

type Members = Readonly<Record<string, unknown>>;

/**
 * Read what a template's LifecycleConfiguration expires; transitions, old versions and unfinished
 * uploads are of no object that is here.
 *
 * @throws {Error} naming what an expiration asks that cannot be decided here.
 */
export function readExpiryRules(configuration: unknown): readonly ExpiryRule[] {
  const { Rules = [] } = (configuration ?? {}) as { readonly Rules?: readonly Members[] };
  return Rules.filter(({ Status }) => Status === 'Enabled').flatMap((rule, index) => {
    const { ExpirationInDays, ExpirationDate, Prefix, Id } = rule;
    if (ExpirationDate !== undefined) {
      throw new Error('LifecycleConfiguration.Rules.ExpirationDate is not supported');
    }
    if (ExpirationInDays === undefined) return [];
    const filter = ['TagFilters', 'ObjectSizeGreaterThan', 'ObjectSizeLessThan'].find(
      (name) => rule[name] !== undefined,
    );
    if (filter !== undefined) {
      throw new Error(`LifecycleConfiguration.Rules.${filter} is not supported`);
    }
    const days = Number(ExpirationInDays);
    return [{ id: String(Id ?? `rule-${index + 1}`), prefix: String(Prefix ?? ''), days }];
  });
}

/**
 * The midnight, in UTC, that follows so many days of age.
 *
 * @source Amazon S3 User Guide, "Lifecycle rules: based on an object's age".
 */
export function expiresMs(modifiedMs: number, days: number): number {
  return Math.ceil((modifiedMs + days * DAY_MS) / DAY_MS) * DAY_MS;
}

/** Objects modified then or before have expired by now. */
export function expiredUntilMs(nowMs: number, days: number): number {
  return Math.floor(nowMs / DAY_MS) * DAY_MS - days * DAY_MS;
}

/** The rule that expires a key first. */
export function ruleFor(rules: readonly ExpiryRule[], key: string): ExpiryRule | undefined {
  return rules
    .filter(({ prefix }) => key.startsWith(prefix))
    .sort((one, other) => one.days - other.days)[0];
}
