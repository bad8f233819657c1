/** A whole pipeline in one process: a schedule publishes, a mapping delivers, a table keeps. */
import { createHash } from 'node:crypto';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { KinesisStreamEvent } from 'aws-lambda';
import { startCloud } from '#local/cloud';
import type { Cloud } from '#local/cloud';
import type { CloudOptions } from '#local/cloud-options';
import { steppedClock } from '#local/kit/stepped-clock';
import { DATA_TEMPLATE, roleThatMay, RUN_TEMPLATE } from '#test/local/cloud-fixture';

export const START_MS = Date.UTC(2026, 10, 3, 9, 30, 15);

export interface PipelineRun {
  readonly cloud: Cloud;
  /** Everything that was said and seen, in order. */
  readonly trace: string[];
  rows(): Promise<readonly string[]>;
  hash(): string;
}

/** The template of the fixture, in which both functions are handlers of this process. */
export function pipelineTemplate(): object {
  const resources = { ...DATA_TEMPLATE.Resources, ...RUN_TEMPLATE.Resources };
  return {
    Resources: {
      ...resources,
      Role: roleThatMay('logs:*', 'kinesis:*', 'dynamodb:*', 'lambda:InvokeFunction'),
      Poll: withoutParameters(resources['Poll']),
    },
  };
}

function withoutParameters(fn: unknown): object {
  const { Type, Properties } = fn as { Type: string; Properties: object };
  return { Type, Properties: { ...Properties, Environment: { Variables: { STREAM: 'river' } } } };
}

/** Starts it at a fixed time; each minute publishes three records, of which each becomes a row. */
export async function startPipeline(options: Partial<CloudOptions> = {}): Promise<PipelineRun> {
  const trace: string[] = [];
  const note = (what: string, said: unknown): void => void trace.push(what + JSON.stringify(said));
  let cloud: Cloud | undefined;
  const watched = {
    metadata: { handlerProtocol: 'http/1.1' },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
    async handle(...asked: Parameters<Cloud['requestHandler']['handle']>) {
      const [{ method, path, headers, body }] = asked;
      const { buffer, byteOffset, byteLength } = body as Uint8Array;
      const text = Buffer.from(buffer, byteOffset, byteLength).toString();
      note('asked', { method, path, headers, body: text });
      const { response } = await cloud!.requestHandler.handle(...asked);
      note('answered', [response.statusCode, response.headers]);
      return { response };
    },
  };
  const clients = { maxAttempts: 3, requestHandler: watched };
  // Made by the first invocation, as a function's are, and of its variables.
  let kinesis: KinesisClient | undefined;
  let table: DynamoDBClient | undefined;
  cloud = await startCloud({
    template: pipelineTemplate(),
    port: false,
    clock: steppedClock(START_MS),
    seed: 17,
    onEvent: (event) => note('event', event),
    ...options,
    handlers: {
      poll: async (event: { id: string }, { awsRequestId }) => {
        note('ticked', { event, at: Date.now(), awsRequestId });
        kinesis ??= new KinesisClient(clients);
        const Records = [1, 2, 3].map((n) => ({
          PartitionKey: `k${n}`,
          Data: Buffer.from(JSON.stringify({ n, at: Date.now(), dice: Math.random() })),
        }));
        const StreamName = process.env['STREAM']!;
        const { FailedRecordCount } = await kinesis.send(
          new PutRecordsCommand({ StreamName, Records }),
        );
        if (FailedRecordCount! > 0) throw new RangeError(`${FailedRecordCount} were refused`);
        return { published: 3 };
      },
      consume: async (event: KinesisStreamEvent) => {
        note('delivered', event);
        table ??= new DynamoDBClient(clients);
        for (const { kinesis: record } of event.Records) {
          const id = `${Buffer.from(record.data, 'base64').toString()} ${record.partitionKey}`;
          await table.send(new PutItemCommand({ TableName: 'rows', Item: { id: { S: id } } }));
        }
        return { batchItemFailures: [] };
      },
      ...options.handlers,
    },
  });
  const { client } = cloud;
  return {
    cloud,
    trace,
    async rows() {
      const { Items = [] } = await new DynamoDBClient(client).send(
        new ScanCommand({ TableName: 'rows' }),
      );
      return Items.map(({ id }) => String(id?.S)).sort();
    },
    hash: () => createHash('sha256').update(trace.join('\n')).digest('hex'),
  };
}
