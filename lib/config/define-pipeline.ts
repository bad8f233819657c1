/** What a pipeline file calls. Alone in its file, so that a bundle of one holds no schema. */
import type { PipelineInput } from './pipeline-input.ts';

/** Return `pipeline` unchanged; its type is what an editor completes and checks. */
export function definePipeline(pipeline: PipelineInput): PipelineInput {
  return pipeline;
}
