/** The rights that templates give, and the same templates with one of them taken out. */
import type { AssemblyStack } from '#local/template/assembly';

export interface Shrunken {
  /** What is taken out. */
  readonly taken: string;
  readonly stacks: readonly AssemblyStack[];
}

interface Statement {
  readonly Action: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** One for each action of each statement of each role, and one for each condition. */
export function withoutOne(stacks: readonly AssemblyStack[]): readonly Shrunken[] {
  return stacks.flatMap((stack, at) =>
    rolesIn(stack).flatMap(([role, statements]) =>
      statements.flatMap((statement, index) =>
        lessThan(statement).map(([taken, less]) => {
          const changed = { ...stack, template: structuredClone(stack.template) };
          const [, others = []] = rolesIn(changed).find(([name]) => name === role) ?? [];
          others.splice(index, 1, ...less);
          return { taken: `${role}: ${taken}`, stacks: stacks.with(at, changed) };
        }),
      ),
    ),
  );
}

/** A statement that says less, each with what it says no more. */
function lessThan(statement: Statement): readonly [string, readonly Statement[]][] {
  const actions = [statement.Action].flat();
  const withoutActions = actions.map((action): [string, Statement[]] => {
    const others = actions.filter((other) => other !== action);
    return [action, others.length === 0 ? [] : [{ ...statement, Action: others }]];
  });
  const underOthers = Object.entries(statement.Condition ?? {}).flatMap(([operator, keys]) =>
    Object.keys(keys).map((key): [string, Statement[]] => [
      `${actions.join()} under ${key}`,
      [{ ...statement, Condition: { [operator]: { ...keys, [key]: 'another' } } }],
    ]),
  );
  return [...withoutActions, ...underOthers];
}

/** Statements of the one inline policy of each role, to be changed. */
function rolesIn({ template }: AssemblyStack): readonly [string, Statement[]][] {
  return Object.entries(template.Resources ?? {}).flatMap(([name, { Type, Properties }]) => {
    if (Type !== 'AWS::IAM::Role') return [];
    const policies = (Properties?.['Policies'] ?? []) as readonly {
      readonly PolicyDocument: { readonly Statement: Statement[] };
    }[];
    const policy = policies[0];
    return policy === undefined ? [] : [[name, policy.PolicyDocument.Statement]];
  });
}
