import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { codeOf, queueCloud } from './queue-cloud.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

async function jobs(attributes: object = {}) {
  const cloud = queueCloud();
  await cloud.make('jobs', attributes);
  return cloud;
}

ruleTest('queues', 'send-receive', async () => {
  const text = fc
    .string({ minLength: 1, maxLength: 20, unit: 'binary' })
    .filter((one) => !/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(one));
  await fc.assert(
    fc.asyncProperty(text, async (body) => {
      const { send, receive } = await jobs();
      const sent = await send('jobs', body);
      expect(sent.body.MD5OfMessageBody).toBe(md5(body));
      const { MessageId } = sent.body;
      expect((await receive('jobs')).body.Messages).toMatchObject([
        { MessageId, Body: body, MD5OfBody: md5(body), ReceiptHandle: expect.any(String) },
      ]);
    }),
    { numRuns: 30 },
  );
});

ruleTest('queues', 'send-body-size', async () => {
  const { send } = await jobs();
  expect((await send('jobs', 'é'.repeat(524_288))).status).toBe(200);
  const over = await send('jobs', 'x'.repeat(1_048_577));
  expect([codeOf(over), over.body.message]).toEqual([
    'InvalidParameterValue',
    'One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.',
  ]);
  const small = await jobs({ MaximumMessageSize: '1024' });
  const MessageAttributes = { n: { DataType: 'Number', StringValue: '7' } };
  expect((await small.send('jobs', 'x'.repeat(1_016), { MessageAttributes })).status).toBe(200);
  expect((await small.send('jobs', 'x'.repeat(1_017), { MessageAttributes })).status).toBe(400);
});

ruleTest('queues', 'send-body-empty', async () => {
  const { send, call, urlOf } = await jobs();
  const none = await call('SendMessage', { QueueUrl: urlOf('jobs') });
  for (const answer of [none, await send('jobs', '')]) {
    expect([codeOf(answer), answer.body.message]).toEqual([
      'MissingParameter',
      'The request must contain the parameter MessageBody.',
    ]);
  }
});

ruleTest('queues', 'send-body-characters', async () => {
  const { send } = await jobs();
  for (const wrong of ['\u0000', '\u0008', '\u001f', '\ufffe', '\uffff']) {
    expect(codeOf(await send('jobs', `a${wrong}b`))).toBe('InvalidMessageContents');
  }
  expect((await send('jobs', '\t\n\r \u{10ffff}')).status).toBe(200);
});

ruleTest('queues', 'send-delay', async () => {
  const { send, bodies, clock } = await jobs({ DelaySeconds: '5' });
  await send('jobs', 'of the queue');
  await send('jobs', 'at once', { DelaySeconds: 0 });
  await send('jobs', 'later', { DelaySeconds: 900 });
  expect(await bodies('jobs')).toEqual(['at once']);
  await clock.step(4_999);
  expect(await bodies('jobs')).toEqual([]);
  await clock.step(1);
  expect(await bodies('jobs')).toEqual(['of the queue']);
  await clock.step(895_000);
  expect(await bodies('jobs')).toContain('later');
  const over = await send('jobs', 'x', { DelaySeconds: 901 });
  expect(over.body.message).toBe(
    'Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.',
  );
});

ruleTest('queues', 'send-batch', async () => {
  const { call, bodies, urlOf } = await jobs({ MaximumMessageSize: '1024' });
  const Entries = [
    { Id: 'one', MessageBody: 'a' },
    { Id: 'two', MessageBody: 'x'.repeat(1_025) },
    { Id: 'three', MessageBody: 'c' },
  ];
  const { body } = await call('SendMessageBatch', { QueueUrl: urlOf('jobs'), Entries });
  expect(body.Successful).toMatchObject([
    { Id: 'one', MD5OfMessageBody: md5('a') },
    { Id: 'three', MD5OfMessageBody: md5('c') },
  ]);
  expect(body.Failed).toEqual([
    {
      Id: 'two',
      Code: 'InvalidParameterValue',
      Message: expect.stringContaining('must be shorter than 1024 bytes'),
      SenderFault: true,
    },
  ]);
  expect(await bodies('jobs')).toEqual(['a', 'c']);
});

ruleTest('queues', 'send-batch-refused', async () => {
  const { call, bodies, urlOf } = await jobs();
  const batch = (ids: readonly string[]) =>
    call('SendMessageBatch', {
      QueueUrl: urlOf('jobs'),
      Entries: ids.map((Id) => ({ Id, MessageBody: 'x' })),
    });
  const cases: [readonly string[], string][] = [
    [[], 'EmptyBatchRequest'],
    [Array.from({ length: 11 }, (_, n) => `id${n}`), 'TooManyEntriesInBatchRequest'],
    [['a', 'a'], 'BatchEntryIdsNotDistinct'],
    [['a b'], 'InvalidBatchEntryId'],
    [['a'.repeat(81)], 'InvalidBatchEntryId'],
  ];
  for (const [ids, code] of cases) {
    const refused = await batch(ids);
    expect(codeOf(refused)).toBe(code);
    expect(refused.headers['x-amzn-query-error']).toBe(`AWS.SimpleQueueService.${code};Sender`);
  }
  expect(await bodies('jobs')).toEqual([]);
});

ruleTest('queues', 'send-batch-bytes', async () => {
  const { call, urlOf } = await jobs();
  const batch = (bytes: number) =>
    call('SendMessageBatch', {
      QueueUrl: urlOf('jobs'),
      Entries: ['a', 'b'].map((Id) => ({ Id, MessageBody: 'x'.repeat(bytes) })),
    });
  expect((await batch(524_288)).body.Successful).toHaveLength(2);
  const over = await batch(524_289);
  expect([codeOf(over), over.body.message]).toEqual([
    'BatchRequestTooLong',
    'Batch requests cannot be longer than 1048576 bytes. You have sent 1048578 bytes.',
  ]);
});

ruleTest('queues', 'send-unsupported', async () => {
  const { send } = await jobs();
  expect((await send('jobs', 'x', { Colour: 'red' })).body.message).toBe(
    'emulator limit: parameter Colour is not supported by the local cloud',
  );
});

ruleTest('queues', 'attributes-digest', async () => {
  const { send } = await jobs();
  // As AWS's Java client computed it, and its unit test has it.
  const MessageAttributes = {
    testAttribute: { DataType: 'String', StringValue: 'testValue' },
    binary: { DataType: 'Binary', BinaryValue: Buffer.from([1, 2]).toString('base64') },
  };
  const part = (bytes: Buffer) => {
    const size = Buffer.alloc(4);
    size.writeInt32BE(bytes.length);
    return Buffer.concat([size, bytes]);
  };
  const expected = Buffer.concat([
    part(Buffer.from('binary')),
    part(Buffer.from('Binary')),
    Buffer.from([2]),
    part(Buffer.from([1, 2])),
    part(Buffer.from('testAttribute')),
    part(Buffer.from('String')),
    Buffer.from([1]),
    part(Buffer.from('testValue')),
  ]);
  const sent = await send('jobs', 'x', { MessageAttributes });
  expect(sent.body.MD5OfMessageAttributes).toBe(createHash('md5').update(expected).digest('hex'));
});

ruleTest('queues', 'attributes-asked', async () => {
  const of = (StringValue: string) => ({ DataType: 'String', StringValue });
  const MessageAttributes = { 'a.one': of('1'), 'a.two': of('2'), b: of('3') };
  const cases: [string[], string[]][] = [
    [['All'], ['a.one', 'a.two', 'b']],
    [['.*'], ['a.one', 'a.two', 'b']],
    [['a.*'], ['a.one', 'a.two']],
    [['b', 'c'], ['b']],
    [[], []],
  ];
  for (const [MessageAttributeNames, expected] of cases) {
    const { send, receive } = await jobs();
    await send('jobs', 'x', { MessageAttributes });
    const [message] = (await receive('jobs', { MessageAttributeNames })).body.Messages;
    expect(Object.keys(message.MessageAttributes ?? {})).toEqual(expected);
  }
});

ruleTest('queues', 'attributes-refused', async () => {
  const { send } = await jobs();
  const good = { DataType: 'String', StringValue: 'v' };
  const wrong: object[] = [
    { 'AWS.x': good },
    { '.x': good },
    { 'x..y': good },
    { 'a b': good },
    { ['x'.repeat(257)]: good },
    { x: { DataType: 'Text', StringValue: 'v' } },
    { x: { DataType: 'String', StringValue: '' } },
    { x: { DataType: 'Number', StringValue: 'seven' } },
    { x: { DataType: 'Binary', StringValue: 'v' } },
    Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`n${n}`, good])),
  ];
  for (const MessageAttributes of wrong) {
    expect(codeOf(await send('jobs', 'x', { MessageAttributes }))).toBe('InvalidParameterValue');
  }
  const MessageAttributes = { 'x.y-z_1': { DataType: 'Number.float', StringValue: '-1.5e3' } };
  expect((await send('jobs', 'x', { MessageAttributes })).status).toBe(200);
});
