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

const STATEMENT_ELEMENTS = new Set(['Sid', 'Effect', 'Action', 'Resource', 'Condition']);
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
  const { Effect, Action, Resource, Condition: block } = elements;
  if (Effect !== 'Allow' && Effect !== 'Deny') {
    report(`Effect is ${JSON.stringify(Effect)}, neither Allow nor Deny`);
  }
  const texts = (value: unknown): readonly string[] => [value ?? []].flat().map(String);
  const grants = texts(Action).flatMap((action) =>
    texts(Resource).flatMap((resource) => {
      const isAction = actionPattern(action);
      const isResource = resourcePattern(resource);
      if (isAction === undefined) report(`${action} is no action`);
      if (isResource === undefined) {
        const variable = hasVariable(resource) ? ', and policy variables are not supported' : '';
        report(`${resource} is neither an ARN nor *${variable}`);
      }
      return isAction === undefined || isResource === undefined
        ? []
        : [{ action, resource, isAction, isResource }];
    }),
  );
  if (texts(Action).length === 0 || texts(Resource).length === 0) {
    report('it names no action or no resource');
  }
  const conditions = parseConditions(block, report);
  return { place, effect: Effect === 'Deny' ? 'Deny' : 'Allow', grants, conditions };
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
