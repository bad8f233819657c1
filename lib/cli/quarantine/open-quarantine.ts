/** Finds a pipeline's quarantine bucket. */
import { DescribeStreamSummaryCommand } from '@aws-sdk/client-kinesis';
import { objectBucket } from '#adapters/objects/bucket';
import type { Bucket } from '#adapters/objects/bucket';
import { CliError } from '#cli/cli-error';
import type { Connection } from '#cli/connection';
import { NO_CLOUD_THERE } from '#cli/render/error';
import type { PipelineSettings } from '#config/pipeline-settings';
import { bucketName, consumerNames, pipelineNames } from '#config/resource-names';

export interface QuarantineBucket extends Bucket {
  /** The consumer of a function; undefined when it is none that the pipeline file has. */
  consumerOf(functionName: string): string | undefined;
}

/** @throws {CliError} when what answers is no AWS service. */
export async function openQuarantine(
  connection: Connection,
  { stage, pipeline }: { readonly stage: string; readonly pipeline: PipelineSettings },
): Promise<QuarantineBucket> {
  const { stream, quarantineBucketPrefix } = pipelineNames(stage, pipeline.name);
  // The bucket is named after its account, which the ARN of anything beside it tells.
  const { StreamDescriptionSummary: found } = await connection.kinesis.send(
    new DescribeStreamSummaryCommand({ StreamName: stream }),
  );
  if (found?.StreamARN === undefined) throw new CliError(NO_CLOUD_THERE);
  const [, , , region = '', account = ''] = found.StreamARN.split(':');
  const name = bucketName(quarantineBucketPrefix, { account, region });
  const functions = new Map(
    pipeline.consumers.map((one) => [consumerNames(stage, pipeline.name, one.name).function, one]),
  );
  return {
    ...objectBucket(await connection.signed('s3'), name),
    consumerOf: (functionName) => functions.get(functionName)?.name,
  };
}
