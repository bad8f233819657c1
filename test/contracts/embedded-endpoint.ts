/** The local cloud's Kinesis, DynamoDB, Secrets Manager and S3 behind one port. */
import type { FaultPlan } from '#local/contracts';
import { createDynamoDb } from '#local/emulators/dynamodb/dynamodb';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { createObjects } from '#local/emulators/objects/objects';
import { createSecrets } from '#local/emulators/secrets/secrets';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import { REGION } from './endpoint-ports.ts';

export async function embeddedEndpoint(faults: FaultPlan = {}) {
  const place = { storage: openStorage(), clock: SYSTEM_CLOCK, region: REGION, faults };
  const kinesis = createKinesis({ ...place, accountId: '000000000000' });
  const dynamodb = createDynamoDb({ ...place, accountId: '000000000000' });
  const objects = createObjects(place);
  const secrets = createSecrets(place);
  const wire = await openWire({
    targets: { [kinesis.target]: kinesis, [dynamodb.target]: dynamodb, secretsmanager: secrets },
    paths: [{ matches: () => true, handler: objects }],
  });
  const { createBucket } = objects.buckets;
  return { url: wire.url, createBucket, kinesis, close: () => wire.close() };
}
