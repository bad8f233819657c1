/** Turns what a pipeline file exports into settings, or into everything that is wrong with it. */
import { crossFaults } from './cross-faults.ts';
import { faultsOf, faultText } from './faults.ts';
import { pipelineSchema } from './pipeline-schema.ts';
import type { MapRecord, PipelineSettings } from './pipeline-settings.ts';

export type ParseOutcome =
  | {
      readonly kind: 'pipeline';
      readonly settings: PipelineSettings;
      readonly map: MapRecord | undefined;
    }
  /** Each is a sentence that begins with the path: `source.pagination.nxt: unknown key; …`. */
  | { readonly kind: 'faulty'; readonly faults: readonly string[] };

/** Check `value` whole: every fault is found at once, and no key is ignored. */
export function parsePipeline(value: unknown): ParseOutcome {
  const parsed = pipelineSchema.safeParse(value, { reportInput: true });
  const shape = parsed.success ? [] : faultsOf(parsed.error.issues);
  const cross = crossFaults(value);
  const alone = shape.filter((fault) => !cross.some(({ path }) => isWithin(fault.path, path)));
  const faults = [...alone, ...cross].map(faultText);
  if (!parsed.success || faults.length > 0) return { kind: 'faulty', faults };
  const { map, ...settings } = parsed.data;
  return { kind: 'pipeline', settings, map };
}

function isWithin(path: readonly PropertyKey[], whole: readonly PropertyKey[]): boolean {
  return whole.every((part, index) => path[index] === part);
}
