/** What the service refuses in an expression before it looks at the names and values of the request. */
import type { ServiceError } from '#local/aws-json';
import { functionForm } from './functions.ts';
import { RESERVED_WORDS } from './reserved-words.ts';
import type { Call, Condition, Operand, Path, SetOperand, Update } from './syntax.ts';

type Refuse = (why: string) => ServiceError;

const INDEX_MAX = 2 ** 31 - 1;
/** @source DynamoDB developer guide, quotas: depth of a document path. */
const PATH_STEPS_MAX = 32;

/** @throws {ServiceError} for reserved words, unknown functions, or functions where they may not stand. */
export function checkConditionForm(condition: Condition, refuse: Refuse): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      checkConditionForm(condition.left, refuse);
      checkConditionForm(condition.right, refuse);
      return;
    case 'not':
      checkConditionForm(condition.inner, refuse);
      return;
    case 'call':
      checkCall(condition, 'condition', refuse);
      return;
    case 'compare':
      [condition.left, condition.right].forEach((one) => checkOperand(one, 'operand', refuse));
      return;
    case 'between':
      [condition.value, condition.low, condition.high].forEach((one) =>
        checkOperand(one, 'operand', refuse),
      );
      return;
    case 'in':
      [condition.value, ...condition.options].forEach((one) =>
        checkOperand(one, 'operand', refuse),
      );
  }
}

export function checkUpdateForm({ sections, actions }: Update, refuse: Refuse): void {
  for (const action of actions) {
    checkPathForm(action.path, refuse);
    if (action.section === 'SET') checkSetForm(action.value, refuse);
  }
  const twice = sections.find((section, at) => sections.indexOf(section) < at);
  if (twice !== undefined) {
    throw refuse(`The "${twice}" section can only be used once in an update expression;`);
  }
}

function checkSetForm(value: SetOperand, refuse: Refuse): void {
  if (value.kind !== 'sum') return checkOperand(value, 'update', refuse);
  for (const operand of [value.left, value.right]) {
    checkOperand(operand, 'update', refuse);
    if (operand.kind === 'call' && operand.name === 'list_append') {
      throw refuse(misplaced('list_append'));
    }
  }
}

export function checkPathForm({ steps }: Path, refuse: Refuse): void {
  for (const step of steps) {
    if (step.kind === 'index' && step.index > INDEX_MAX) {
      throw refuse(`List index is not within the allowable range; index: [${step.index}]`);
    }
    if (step.kind === 'name' && RESERVED_WORDS.has(step.name.toLowerCase())) {
      throw refuse(`Attribute name is a reserved keyword; reserved keyword: ${step.name}`);
    }
  }
  if (steps.length > PATH_STEPS_MAX) {
    throw refuse(`The document path has too many nesting levels; nesting levels: ${steps.length}`);
  }
}

type Place = 'condition' | 'operand' | 'update';

function checkOperand(operand: Operand, place: Place, refuse: Refuse): void {
  if (operand.kind === 'path') checkPathForm(operand, refuse);
  if (operand.kind === 'call') checkCall(operand, place, refuse);
}

function checkCall({ name, operands }: Call, place: Place, refuse: Refuse): void {
  const form = functionForm(name);
  if (form === undefined) throw refuse(`Invalid function name; function: ${name}`);
  const isOfUpdate = form.place === 'update';
  if (isOfUpdate !== (place === 'update')) {
    const where = isOfUpdate ? 'a condition' : 'an update';
    throw refuse(`The function is not allowed in ${where} expression; function: ${name}`);
  }
  if (form.place !== place) throw refuse(misplaced(name));
  if (operands.length !== form.operands) {
    throw refuse(
      `Incorrect number of operands for operator or function; operator or function: ${name}, ` +
        `number of operands: ${operands.length}`,
    );
  }
  for (const operand of operands) {
    checkOperand(operand, place === 'update' ? 'update' : 'operand', refuse);
  }
}

function misplaced(name: string): string {
  return `The function is not allowed to be used this way in an expression; function: ${name}`;
}
