/** A fault as data: what is to go wrong, where, and when. */
import type { FAULT_KINDS, FAULT_TIMING, FaultKind } from './fault-kinds.ts';

type Kinds = typeof FAULT_KINDS;

export type FaultKindName = keyof Kinds;

type TargetsOf<K extends FaultKind> = {
  readonly [T in K['targets'][number]]?: string;
};

type MeasuresOf<K extends FaultKind> = K extends { readonly measures: infer M }
  ? { readonly [N in keyof M as M[N] extends { isOptional: true } ? never : N]: number } & {
      readonly [N in keyof M as M[N] extends { isOptional: true } ? N : never]?: number;
    }
  : unknown;

/** What `once` at its moment has: no share, no end. */
type TimingOf<K extends FaultKind> = K['strikes'] extends 'once'
  ? { readonly afterMs?: number }
  : { readonly [N in keyof typeof FAULT_TIMING]?: number };

/**
 * One fault, by its `kind`. A target that is absent, or `*`, is any.
 *
 * @example const fault: Fault = { kind: 'throttle-entries', stream: 'orders', share: 0.3, times: 40 };
 */
export type Fault = {
  [K in FaultKindName]: { readonly kind: K } & TargetsOf<Kinds[K]> &
    MeasuresOf<Kinds[K]> &
    TimingOf<Kinds[K]>;
}[FaultKindName];
