import { createRequire } from 'node:module';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDynamo } from '#test/local/emulators/dynamodb/dynamo-cloud';
import type { TestDynamo } from '#test/local/emulators/dynamodb/dynamo-cloud';
import { DYNAMODB_DIFFERENCES } from './dynamodb-differences.ts';
import { dynamoAsker } from './dynamodb-client.ts';
import { DYNAMODB_QUESTIONS } from './dynamodb-questions.ts';
import { askAll, differences, expectedOf } from './parity.ts';

let ours: TestDynamo;
let theirs: Server;
beforeAll(async () => {
  ours = await openTestDynamo();
  // Without types of its own.
  const dynalite = createRequire(import.meta.url)('dynalite') as (options: object) => Server;
  theirs = dynalite({ createTableMs: 0 });
  await new Promise<void>((resolve) => theirs.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  theirs.closeAllConnections();
  await Promise.all([ours.close(), new Promise((resolve) => theirs.close(resolve))]);
});

test('every question has a name of its own', () => {
  const ids = DYNAMODB_QUESTIONS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('dynalite answers as ours does, but for the differences that are explained', async () => {
  const { port } = theirs.address() as AddressInfo;
  const theirUrl = `http://127.0.0.1:${port}`;
  const [own, other] = await Promise.all([
    askAll(DYNAMODB_QUESTIONS, dynamoAsker(ours.url)),
    askAll(DYNAMODB_QUESTIONS, dynamoAsker(theirUrl)),
  ]);
  expect(differences(own, other)).toEqual(expectedOf(DYNAMODB_DIFFERENCES));
});
