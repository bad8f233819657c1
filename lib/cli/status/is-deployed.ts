/** Tells a pipeline that is not there from one that lacks something. */
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DescribeStreamSummaryCommand } from '@aws-sdk/client-kinesis';
import type { Connection } from '#cli/connection';
import { consumerNames, pipelineNames } from '#config/resource-names';
import type { StandingAsk } from './pipeline-standing.ts';

/** Whether its stream or a table of it is there, or may be: only a cloud that knows none says no. */
export async function isDeployed(
  { kinesis, dynamodb }: Connection,
  { stage, pipeline: { name, consumers } }: StandingAsk,
): Promise<boolean> {
  const { stream } = pipelineNames(stage, name);
  const tables = consumers
    .filter(({ kind }) => kind === 'table')
    .map((consumer) => consumerNames(stage, name, consumer.name).table);
  const answers = await Promise.allSettled([
    kinesis.send(new DescribeStreamSummaryCommand({ StreamName: stream })),
    ...tables.map((TableName) => dynamodb.send(new DescribeTableCommand({ TableName }))),
  ]);
  return !answers.every((answer) => answer.status === 'rejected' && isMissing(answer.reason));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'ResourceNotFoundException';
}
