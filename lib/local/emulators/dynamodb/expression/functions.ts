/** The functions of expressions: where each may stand, and of how many operands. */

interface FunctionForm {
  readonly operands: number;
  /** As a condition, as an operand of one, or in the value of a SET. */
  readonly place: 'condition' | 'operand' | 'update';
}

/** @source DynamoDB developer guide, condition and update expressions: function names have small letters. */
const FUNCTIONS: Readonly<Record<string, FunctionForm>> = {
  attribute_exists: { operands: 1, place: 'condition' },
  attribute_not_exists: { operands: 1, place: 'condition' },
  attribute_type: { operands: 2, place: 'condition' },
  begins_with: { operands: 2, place: 'condition' },
  contains: { operands: 2, place: 'condition' },
  size: { operands: 1, place: 'operand' },
  if_not_exists: { operands: 2, place: 'update' },
  list_append: { operands: 2, place: 'update' },
};

export function functionForm(name: string): FunctionForm | undefined {
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
}
