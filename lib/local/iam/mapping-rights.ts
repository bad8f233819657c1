/** Refuses mappings whose function's role may not read their stream, as Lambda does when one is made. */
import type { PlannedResource } from '#local/template/plan-resources';
import type { Actors } from './actors.ts';
import type { ResourceFacts } from './resource-facts.ts';

/** @source Lambda Developer Guide, "Process Amazon Kinesis Data Streams records": execution role permissions. */
const READS = [
  'GetRecords',
  'GetShardIterator',
  'DescribeStream',
  'ListShards',
  'DescribeStreamSummary',
];

/** A mapping needs all of it from its first read to its last, so it is asked once. */
export function refuseUnreadable(
  planned: readonly PlannedResource[],
  {
    functions,
    facts,
    report,
  }: {
    readonly functions: Actors['functions'];
    readonly facts: ResourceFacts;
    report(problem: string): void;
  },
): void {
  for (const { type, properties, logicalId, stack } of planned) {
    if (type !== 'AWS::Lambda::EventSourceMapping') continue;
    const stream = String(properties['EventSourceArn']);
    const functionName = String(properties['FunctionName'])
      .replace(/^.*:function:/, '')
      .replace(/:.*$/, '');
    const refusal = mappingRefusal(functionName, stream, { functions, facts });
    if (refusal !== undefined) report(`${logicalId} (${type}) in ${stack}: ${refusal}`);
  }
}

/** Why a function's role may not read a stream, in a sentence; undefined: it may. */
export function mappingRefusal(
  functionName: string,
  stream: string,
  { functions, facts }: { readonly functions: Actors['functions']; readonly facts: ResourceFacts },
): string | undefined {
  const calls = READS.map((read) => ({ action: `kinesis:${read}`, resource: stream }));
  const key = facts.keyOfStream(stream.split('/')[1] ?? '');
  if (key !== undefined) calls.push({ action: 'kms:Decrypt', resource: key });
  for (const call of calls) {
    const refusal = functions.get(functionName)?.lambda.refusal(call);
    if (refusal !== undefined) return `Cannot access stream ${stream}: ${refusal.message}.`;
  }
  return undefined;
}
