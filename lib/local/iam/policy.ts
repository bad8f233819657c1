/** Policy documents, read once and ready to be asked. */
import { parseConditions } from './condition.ts';
import type { Condition } from './condition.ts';
import { actionPattern, hasVariable, resourcePattern } from './pattern.ts';
import type { Pattern } from './pattern.ts';

/** One action on one resource, both as the policy writes them. */
export interface Grant {
  readonly action: string;
  readonly resource: string;
  readonly isAction: Pattern;
  readonly isResource: Pattern;
}

export interface Statement {
  /** The policy's name, and the statement's place in it from 1. */
  readonly place: string;
  readonly effect: 'Allow' | 'Deny';
  readonly grants: readonly Grant[];
  readonly conditions: readonly Condition[];
}

const STATEMENT_ELEMENTS = new Set([
  'Sid',
  'Effect',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
]);
const DOCUMENT_ELEMENTS = new Set(['Version', 'Id', 'Statement']);

type Elements = Readonly<Record<string, unknown>>;

/**
 * Read a policy document.
 *
 * @param report hears, in the end of a sentence, of whatever could not be kept as written.
 * @source IAM User Guide, "IAM JSON policy element reference" (2026-10).
 */
export function parsePolicy(
  name: string,
  document: unknown,
  report: (fault: string) => void,
): readonly Statement[] {
  const elements = (document ?? {}) as Elements;
  refuseUnknown(elements, DOCUMENT_ELEMENTS, (fault) => report(`policy ${name}: ${fault}`));
  return [elements['Statement'] ?? []].flat().map((statement, index) => {
    const place = `${name}, statement ${index + 1}`;
    return parseStatement(place, statement as Elements, (fault) => report(`${place}: ${fault}`));
  });
}

function parseStatement(
  place: string,
  elements: Elements,
  report: (fault: string) => void,
): Statement {
  refuseUnknown(elements, STATEMENT_ELEMENTS, report);
  const { Effect, Action, NotAction, Resource, NotResource, Condition: block } = elements;
  if (Effect !== 'Allow' && Effect !== 'Deny') {
    report(`Effect is ${JSON.stringify(Effect)}, neither Allow nor Deny`);
  }
  if (Action !== undefined && NotAction !== undefined) report('it has both Action and NotAction');
  if (Resource !== undefined && NotResource !== undefined) {
    report('it has both Resource and NotResource');
  }
  const actions = sideOf({ named: Action, others: NotAction }, (text) => {
    const matches = actionPattern(text);
    if (matches === undefined) report(`${text} is no action`);
    return matches;
  });
  const resources = sideOf({ named: Resource, others: NotResource }, (text) => {
    const matches = resourcePattern(text);
    const variable = hasVariable(text) ? ', and policy variables are not supported' : '';
    if (matches === undefined) report(`${text} is neither an ARN nor *${variable}`);
    return matches;
  });
  if (actions.length === 0 || resources.length === 0) {
    const isNothing = [Action ?? NotAction, Resource ?? NotResource].some(
      (value) => textsOf(value).length === 0,
    );
    if (isNothing) report('it names no action or no resource');
  }
  const grants = actions.flatMap((action) =>
    resources.map((resource) => ({
      action: action.text,
      resource: resource.text,
      isAction: action.matches,
      isResource: resource.matches,
    })),
  );
  const conditions = parseConditions(block, report);
  return { place, effect: Effect === 'Deny' ? 'Deny' : 'Allow', grants, conditions };
}

interface Named {
  readonly text: string;
  readonly matches: Pattern;
}

/** Each of the named ones, or as one all that are not named. */
function sideOf(
  { named, others }: { readonly named: unknown; readonly others: unknown },
  parse: (text: string) => Pattern | undefined,
): readonly Named[] {
  const read = (value: unknown): readonly Named[] =>
    textsOf(value).flatMap((text) => {
      const matches = parse(text);
      return matches === undefined ? [] : [{ text, matches }];
    });
  if (named !== undefined || others === undefined) return read(named);
  const excluded = read(others);
  // Where one of them could not be read, all the others are not known either.
  if (excluded.length < textsOf(others).length || excluded.length === 0) return [];
  const text = `not ${excluded.map((one) => one.text).join(', ')}`;
  return [{ text, matches: (asked) => !excluded.some(({ matches }) => matches(asked)) }];
}

function textsOf(value: unknown): readonly string[] {
  return [value ?? []].flat().map(String);
}

function refuseUnknown(
  elements: Elements,
  known: ReadonlySet<string>,
  report: (fault: string) => void,
): void {
  for (const name of Object.keys(elements)) {
    if (!known.has(name)) report(`element ${name} is not supported`);
  }
}
