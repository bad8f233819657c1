/** A Kinesis client that is not of this project, nor of its language. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { shardId } from '#test/local/emulators/kinesis/kinesis-cloud';
import { openKinesisForClients } from './kinesis-for-clients.ts';
import { pythonWithBoto3 } from './python-environment.ts';

const PROGRAM = fileURLToPath(new URL('kinesis_by_boto3.py', import.meta.url));

interface Seen {
  readonly failures: readonly string[];
  readonly types: Readonly<Record<string, readonly string[]>>;
  readonly split: { parent: string[]; children: string[]; late: string[][] };
  readonly pages: readonly (readonly string[])[];
  readonly errors: Readonly<Record<string, string>>;
}

test('boto3 puts, lists, reads by every iterator type, over a split, and knows the errors', async ({
  skip,
}) => {
  const environment = await pythonWithBoto3();
  if (environment.kind === 'absent') return skip(environment.reason);
  const commands = [undefined, 'throttle', 'fail', 'throttle'] as const;
  let entries = 0;
  const kinesis = await openKinesisForClients({ onPut: () => commands[entries++] });
  onTestFinished(kinesis.close);
  const { stdout } = await promisify(execFile)(environment.python, [PROGRAM, kinesis.url]);
  const seen = JSON.parse(stdout) as Seen;

  expect(seen.failures).toEqual([
    'ProvisionedThroughputExceededException',
    'InternalFailure',
    'ProvisionedThroughputExceededException',
  ]);
  // The first retry finds "two" throttled once more, so "three" overtakes it: single entries fail.
  const words = ['one', 'three', 'two'];
  expect(seen.types).toEqual({
    TRIM_HORIZON: words,
    LATEST: [],
    AT_SEQUENCE_NUMBER: words.slice(1),
    AFTER_SEQUENCE_NUMBER: words.slice(2),
    AT_TIMESTAMP: words,
  });
  const { parent, children, late } = seen.split;
  expect([parent, children]).toEqual([words, [shardId(1), shardId(2)]]);
  expect(late.flat().toSorted()).toEqual(
    Array.from({ length: 20 }, (_, n) => `late-${n}`).toSorted(),
  );
  expect(seen.pages).toEqual([[shardId(0), shardId(1)], [shardId(2)]]);
  expect(seen.errors).toEqual({
    'no stream': 'ResourceNotFoundException',
    'taken name': 'ResourceInUseException',
    'hash key': 'InvalidArgumentException',
    'no iterator': 'InvalidArgumentException',
    'long key': 'ValidationException',
    'over double': 'LimitExceededException',
  });
});
