/** A Kinesis on loopback by the real clock, for clients that are processes or keep time themselves. */
import type { FaultPlan } from '#local/contracts';
import { createDynamoDb } from '#local/emulators/dynamodb/dynamodb';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import type { Kinesis } from '#local/emulators/kinesis/kinesis';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';

export interface KinesisForClients {
  readonly url: string;
  readonly kinesis: Kinesis;
  close(): Promise<void>;
}

/** DynamoDB is there too: some clients keep their places in it. */
export async function openKinesisForClients(faults: FaultPlan = {}): Promise<KinesisForClients> {
  const place = {
    storage: openStorage(),
    clock: SYSTEM_CLOCK,
    region: 'eu-west-1',
    accountId: '123456789012',
    faults,
  };
  const kinesis = createKinesis(place);
  const dynamodb = createDynamoDb(place);
  const wire = await openWire({
    targets: { [kinesis.target]: kinesis, [dynamodb.target]: dynamodb },
    paths: [],
  });
  return { url: wire.url, kinesis, close: wire.close };
}
