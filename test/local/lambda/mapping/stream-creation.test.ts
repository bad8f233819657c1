import { expect } from 'vitest';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import { openStorage } from '#local/storage';
import { ask } from '#test/local/ask';
import { steppedClock } from '#local/kit/stepped-clock';
import { ruleTest } from '#test/local/rules/rule-test';
import { START_MS } from './mapping-bench.ts';

ruleTest(
  'mapping',
  'stream-made-again',
  async () => {
    const clock = steppedClock(START_MS);
    const place = { region: 'us-east-1', accountId: '000000000000', storage: openStorage() };
    const kinesis = createKinesis({ ...place, clock, limits: { settleMs: 0 } });
    const river = { Name: 'river', ShardCount: 1 };
    kinesis.createStream(river);
    const creation = kinesis.creationOf('river');
    kinesis.createStream(river);
    expect(kinesis.creationOf('river')).toBe(creation);
    const headers = { 'x-amz-target': `${kinesis.target}.DeleteStream` };
    const body = JSON.stringify({ StreamName: 'river' });
    expect((await ask(kinesis, 'POST', '/', { headers, body })).status).toBe(200);
    await clock.step(1);
    expect(() => kinesis.creationOf('river')).toThrow();
    kinesis.createStream(river);
    expect(kinesis.creationOf('river')).not.toBe(creation);
  },
  'in the emulator',
);
