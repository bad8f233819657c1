/** Sensors' readings: a stream of them, a function that keeps the newest, a table that has it. */
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { Runtime, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { KinesisEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export class ReadingsStack extends Stack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const stream = new Stream(this, 'Readings', { shardCount: 2 });
    const table = new Table(this, 'Newest', {
      partitionKey: { name: 'sensor', type: AttributeType.STRING },
    });
    const keep = new NodejsFunction(this, 'Keep', {
      entry: join(import.meta.dirname, 'keep-newest.ts'),
      runtime: Runtime.NODEJS_24_X,
      environment: { TABLE: table.tableName },
    });
    table.grantWriteData(keep);
    keep.addEventSource(
      new KinesisEventSource(stream, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        retryAttempts: 3,
        onFailure: new SqsDlq(new Queue(this, 'GivenUp')),
      }),
    );
  }
}
