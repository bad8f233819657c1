/** Reads a fault that somebody wrote: in a test, in a request, on a command line. */
import { FAULT_KINDS, FAULT_TIMING } from './fault-kinds.ts';
import type { FaultKind } from './fault-kinds.ts';
import type { Fault, FaultKindName } from './fault.ts';

/** What is wrong, where, and what would be right, in one sentence. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
}

/**
 * Read one fault.
 *
 * @param place what the error calls it: `faults[2]`.
 * @throws {FaultError} for the first thing that is wrong.
 */
export function parseFault(value: unknown, place = 'the fault'): Fault {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FaultError(
      `${place} is ${shown(value)}: it must be an object with a kind, as { kind: 'lose-tick' }.`,
    );
  }
  const { kind, ...members } = value as Readonly<Record<string, unknown>>;
  if (!isKind(kind)) {
    const kinds = Object.keys(FAULT_KINDS).join(', ');
    throw new FaultError(`${place}.kind is ${shown(kind)}: it must be one of ${kinds}.`);
  }
  const rules = rulesOf(FAULT_KINDS[kind]);
  for (const [name, member] of Object.entries(members)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const known = Object.keys(rules).join(', ');
      throw new FaultError(`${place}.${name} is no member of ${kind}: it has ${known}.`);
    }
    if (member !== undefined && !rule.isRight(member)) {
      throw new FaultError(`${place}.${name} is ${shown(member)}: it must be ${rule.must}.`);
    }
  }
  for (const [name, { must, isNeeded }] of Object.entries(rules)) {
    if (isNeeded && members[name] === undefined) {
      throw new FaultError(`${place}.${name} is missing: ${kind} needs it, ${must}.`);
    }
  }
  const given = Object.entries(members).filter(([, member]) => member !== undefined);
  return { kind, ...Object.fromEntries(given) } as Fault;
}

/** @throws {FaultError} naming the fault by its place in the list. */
export function parseFaults(value: unknown): readonly Fault[] {
  if (!Array.isArray(value)) throw new FaultError(`faults is ${shown(value)}: it must be a list.`);
  return value.map((one, index) => parseFault(one, `faults[${index}]`));
}

export interface MemberRule {
  /** What is right, after “it must be”. */
  readonly must: string;
  readonly isNeeded: boolean;
  readonly isNumber: boolean;
  isRight(member: unknown): boolean;
}

/** The members of a kind, in the order of its table. */
export function rulesOf(kind: FaultKind): Readonly<Record<string, MemberRule>> {
  const rules: Record<string, MemberRule> = {};
  for (const target of kind.targets) {
    rules[target] = {
      must: `the name of a ${target}, or *`,
      isNeeded: false,
      isNumber: false,
      isRight: (member) => typeof member === 'string' && member !== '',
    };
  }
  for (const [name, { min, isOptional = false }] of Object.entries(kind.measures ?? {})) {
    rules[name] = numberRule({ min, max: Infinity, isWhole: true }, !isOptional);
  }
  for (const [name, bounds] of Object.entries(FAULT_TIMING)) {
    if (kind.strikes === 'each' || name === 'afterMs') rules[name] = numberRule(bounds, false);
  }
  return rules;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
}

function numberRule({ min, max, isWhole }: Bounds, isNeeded: boolean): MemberRule {
  const what = isWhole ? 'a whole number' : 'a number';
  const bounds =
    max < Infinity ? ` from ${min} to ${max}` : min > -Infinity ? ` of at least ${min}` : '';
  return {
    must: what + bounds,
    isNeeded,
    isNumber: true,
    isRight: (member) =>
      typeof member === 'number' &&
      Number.isFinite(member) &&
      member >= min &&
      member <= max &&
      (!isWhole || Number.isInteger(member)),
  };
}

/** Of one member; undefined when there is no such kind, or it has no such member. */
export function ruleOf(kind: string, member: string): MemberRule | undefined {
  const rules = isKind(kind) ? rulesOf(FAULT_KINDS[kind]) : {};
  return Object.hasOwn(rules, member) ? rules[member] : undefined;
}

function isKind(value: unknown): value is FaultKindName {
  return typeof value === 'string' && Object.hasOwn(FAULT_KINDS, value);
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : (JSON.stringify(value) ?? String(value));
}
