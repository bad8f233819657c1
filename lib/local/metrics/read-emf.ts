/** Reads the numbers in a function's log line, if it is in CloudWatch's embedded metric format. */
import type { Measurement } from './measurement.ts';

type Members = Readonly<Record<string, unknown>>;

interface Directive {
  readonly Namespace: string;
  /** Sets of names; the metric is of each of them. */
  readonly Dimensions?: readonly (readonly string[])[];
  readonly Metrics?: readonly { readonly Name: string }[];
}

/**
 * Every value of every metric under every set of dimensions; none of any other line.
 *
 * @source CloudWatch User Guide, "Specification: Embedded metric format".
 */
export function readEmf(line: Members = {}): readonly Measurement[] {
  const directives = (line['_aws'] as Members | undefined)?.['CloudWatchMetrics'];
  if (!Array.isArray(directives)) return [];
  return (directives as readonly Directive[]).flatMap(
    ({ Namespace: namespace, Dimensions = [[]], Metrics = [] }) =>
      Dimensions.flatMap((names) => {
        const dimensions = Object.fromEntries(names.map((name) => [name, String(line[name])]));
        return Metrics.flatMap(({ Name: name }) =>
          valuesOf(line[name]).map((value) => ({ namespace, name, dimensions, value })),
        );
      }),
  );
}

function valuesOf(target: unknown): readonly number[] {
  const values: readonly unknown[] = Array.isArray(target) ? target : [target];
  return values.filter((value) => typeof value === 'number');
}
