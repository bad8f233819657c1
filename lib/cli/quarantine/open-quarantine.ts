/** Finds a pipeline's quarantine bucket. */
import { DescribeStreamSummaryCommand } from '@aws-sdk/client-kinesis';
import { objectBucket } from '#adapters/objects/bucket';
import type { Bucket } from '#adapters/objects/bucket';
import { CliError } from '#cli/cli-error';
import type { Connection } from '#cli/connection';
import { NO_CLOUD_THERE } from '#cli/render/error';
import { bucketName, pipelineNames } from '#config/resource-names';

/** @throws {CliError} when what answers is no AWS service. */
export async function openQuarantine(
  connection: Connection,
  { stage, pipeline }: { readonly stage: string; readonly pipeline: string },
): Promise<Bucket> {
  const { stream, quarantineBucketPrefix } = pipelineNames(stage, pipeline);
  // The bucket is named after its account, which the ARN of anything beside it tells.
  const { StreamDescriptionSummary: found } = await connection.kinesis.send(
    new DescribeStreamSummaryCommand({ StreamName: stream }),
  );
  if (found?.StreamARN === undefined) throw new CliError(NO_CLOUD_THERE);
  const [, , , region = '', account = ''] = found.StreamARN.split(':');
  const name = bucketName(quarantineBucketPrefix, { account, region });
  return objectBucket(await connection.signed('s3'), name);
}
