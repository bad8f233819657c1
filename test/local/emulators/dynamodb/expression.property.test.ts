import fc from 'fast-check';
import { expect } from 'vitest';
import { ServiceError } from '#local/aws-json';
import { parseMap } from '#local/emulators/dynamodb/attribute-value';
import { meets } from '#local/emulators/dynamodb/expression/evaluate';
import { openScope } from '#local/emulators/dynamodb/expression/scope';
import { ruleTest } from '#test/local/rules/rule-test';
import { isMet, item, tree } from './expression-tree.ts';
import type { Leaf, Tree, Value } from './expression-tree.ts';

/** `DYNAMODB_RUNS=100000` looks longer. */
const numRuns = Number(process.env['DYNAMODB_RUNS'] ?? 300);

/** Prints a tree with random blanks, letters and parentheses, and names its values. */
class Printer {
  readonly values: Record<string, Value> = {};
  readonly names: Record<string, string> = {};
  readonly #choices: readonly number[];
  #at = 0;

  constructor(choices: readonly number[]) {
    this.#choices = choices;
  }

  #choose(count: number): number {
    this.#at += 1;
    return (this.#choices[this.#at % this.#choices.length] ?? 0) % count;
  }

  #blank(): string {
    return ['', ' ', '  ', '\n', '\t '][this.#choose(5)] ?? '';
  }

  #word(word: string): string {
    const cased = [...word].map((letter) =>
      this.#choose(2) === 0 ? letter : letter.toLowerCase(),
    );
    return ` ${this.#blank()}${cased.join('')}${this.#blank()} `;
  }

  #value(value: Value): string {
    const name = `:v${Object.keys(this.values).length}`;
    this.values[name] = value;
    return `${this.#blank()}${name}${this.#blank()}`;
  }

  #path(names: readonly string[]): string {
    const steps = names.map((name) => {
      if (this.#choose(3) > 0) return name;
      this.names[`#${name}_`] = name;
      return `#${name}_`;
    });
    return `${this.#blank()}${steps.join(`${this.#blank()}.${this.#blank()}`)}${this.#blank()}`;
  }

  #leaf(leaf: Leaf): string {
    if (leaf.kind === 'value') return this.#value(leaf.value);
    const text =
      leaf.kind === 'path'
        ? this.#path(leaf.names)
        : `size${this.#blank()}(${this.#path(leaf.of)})`;
    return this.#choose(4) === 0 ? `(${text})` : text;
  }

  /** `binds`: how strongly what stands around it binds: 1 for OR, 2 for AND, 3 for NOT. */
  print(part: Tree, binds = 0): string {
    const own = part.kind === 'or' ? 1 : part.kind === 'and' ? 2 : part.kind === 'not' ? 3 : 4;
    const text = this.#bare(part);
    return own < binds || this.#choose(3) === 0
      ? `${this.#blank()}(${text})${this.#blank()}`
      : text;
  }

  #bare(part: Tree): string {
    switch (part.kind) {
      case 'and':
      case 'or': {
        const binds = part.kind === 'or' ? 1 : 2;
        const [left, right] = part.parts;
        const [first, second] = [this.print(left, binds), this.print(right, binds + 1)];
        return `${first}${this.#word(part.kind.toUpperCase())}${second}`;
      }
      case 'not':
        return `${this.#word('NOT')}${this.print(part.part, 3)}`;
      case 'compare':
        return `${this.#leaf(part.sides[0])}${part.sign}${this.#leaf(part.sides[1])}`;
      case 'between': {
        const [low, high] = part.bounds.map((bound) => this.#value(bound));
        return `${this.#leaf(part.leaf)}${this.#word('BETWEEN')}${low}${this.#word('AND')}${high}`;
      }
      case 'in': {
        const options = part.options.map((option) => this.#value(option)).join(',');
        return `${this.#leaf(part.leaf)}${this.#word('IN')}(${options})`;
      }
      case 'exists':
        return `attribute_exists${this.#blank()}(${this.#path(part.names)})`;
      case 'missing':
        return `attribute_not_exists(${this.#path(part.names)})`;
      case 'begins':
        return `begins_with(${this.#path(part.names)},${this.#value(part.value)})`;
      case 'holds':
        return `contains(${this.#path(part.names)},${this.#value(part.value)})`;
    }
  }
}

const choices = fc.array(fc.nat(59), { minLength: 7, maxLength: 40 });
const given = <T extends object>(map: T): T | undefined =>
  Object.keys(map).length === 0 ? undefined : map;

ruleTest('dynamodb', 'conditions-mean-what-they-say', () => {
  fc.assert(
    fc.property(tree, item, choices, (part, attributes, random) => {
      const printer = new Printer(random);
      const text = printer.print(part);
      // The service takes 4 KB, and these are its rules of meaning.
      fc.pre(Buffer.byteLength(text) <= 4_096);
      const scope = openScope(
        {
          ConditionExpression: text,
          ExpressionAttributeNames: given(printer.names),
          ExpressionAttributeValues: given(printer.values),
        },
        ['ConditionExpression'],
      );
      const condition = scope.condition('ConditionExpression');
      scope.close();
      expect([text, meets(condition!, parseMap(attributes), scope)]).toEqual([
        text,
        isMet(part, attributes),
      ]);
    }),
    { numRuns },
  );
});

const PIECES =
  'a b.c d[0] #n :v size attribute_exists begins_with list_append if_not_exists AND OR NOT BETWEEN IN SET REMOVE ADD ' +
  'DELETE name ( ) , . [ ] = <> <= + - 0 9999999999 # : _ ; " \0 😀';
const junk = fc.oneof(
  fc
    .array(fc.constantFrom(...PIECES.split(' ')), { maxLength: 24 })
    .map((pieces) => pieces.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .tuple(fc.constantFrom('(', 'NOT ', 'size(', 'a.', 'a = (', '-'), fc.nat(2_000))
    .map(([piece, times]) => piece.repeat(Math.min(times, Math.floor(4_096 / piece.length)))),
);
const PARAMETERS = ['ConditionExpression', 'UpdateExpression', 'ProjectionExpression'];

ruleTest('dynamodb', 'junk-is-refused', () => {
  fc.assert(
    fc.property(junk, fc.constantFrom(...PARAMETERS), (text, parameter) => {
      try {
        const scope = openScope(
          {
            [parameter]: text,
            ExpressionAttributeNames: { '#n': 'n' },
            ...(parameter === 'ProjectionExpression'
              ? {}
              : { ExpressionAttributeValues: { ':v': { N: '1' } } }),
          },
          PARAMETERS,
        );
        if (parameter === 'UpdateExpression') scope.update();
        else if (parameter === 'ProjectionExpression') scope.projection();
        else scope.condition(parameter);
        scope.close();
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
        expect((error as ServiceError).code).toBe('ValidationException');
      }
    }),
    { numRuns },
  );
});
