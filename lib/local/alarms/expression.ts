/** Metric math, as far as alarms need it: an expression, and what it comes to in one period. */

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly operator: Operator; readonly inputs: readonly Expression[] };

export type Operator = keyof typeof OPERATORS;

/** A value, or the lack of one in this period. */
export type Value = number | undefined;

const isTrue = (value: number): boolean => value !== 0;
const asNumber = (truth: boolean): number => (truth ? 1 : 0);

/** Of inputs that are all there. */
const strict =
  (compute: (...inputs: number[]) => Value) =>
  (...inputs: readonly Value[]): Value =>
    inputs.includes(undefined) ? undefined : compute(...(inputs as number[]));

/** @source CloudWatch User Guide, "Metric math syntax and functions". */
const OPERATORS = {
  negate: strict((a = 0) => -a),
  '*': strict((a = 0, b = 0) => a * b),
  // There is no datapoint where the divisor is 0.
  '/': strict((a = 0, b = 0) => (b === 0 ? undefined : a / b)),
  '+': strict((a = 0, b = 0) => a + b),
  '-': strict((a = 0, b = 0) => a - b),
  '<': strict((a = 0, b = 0) => asNumber(a < b)),
  '<=': strict((a = 0, b = 0) => asNumber(a <= b)),
  '>': strict((a = 0, b = 0) => asNumber(a > b)),
  '>=': strict((a = 0, b = 0) => asNumber(a >= b)),
  '==': strict((a, b) => asNumber(a === b)),
  '!=': strict((a, b) => asNumber(a !== b)),
  '&&': strict((a = 0, b = 0) => asNumber(isTrue(a) && isTrue(b))),
  '||': strict((a = 0, b = 0) => asNumber(isTrue(a) || isTrue(b))),
  /** Without a third input there is no datapoint where the first is false. */
  IF: (condition: Value, then?: Value, otherwise?: Value): Value =>
    condition === undefined ? undefined : isTrue(condition) ? then : otherwise,
  FILL: (value: Value, instead?: Value): Value => value ?? instead,
} as const;

/** `valueOf` answers what a name stands for in this period. */
export function compute(expression: Expression, valueOf: (name: string) => Value): Value {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'name':
      return valueOf(expression.name);
    case 'call': {
      const inputs = expression.inputs.map((input) => compute(input, valueOf));
      const operate: (...values: Value[]) => Value = OPERATORS[expression.operator];
      return operate(...inputs);
    }
  }
}

/** The names in it, each once. */
export function namesIn(expression: Expression): readonly string[] {
  if (expression.kind === 'number') return [];
  if (expression.kind === 'name') return [expression.name];
  return [...new Set(expression.inputs.flatMap(namesIn))];
}
