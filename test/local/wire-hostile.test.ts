import { connect } from 'node:net';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect } from 'vitest';
import { createQueues } from '#local/emulators/queues/queues';
import { createSecrets } from '#local/emulators/secrets/secrets';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';
import type { Wire, WireLimits } from '#local/wire';
import { ruleTest } from '#test/local/rules/rule-test';

let wire: Wire;
let defects: unknown[];
afterEach(() => wire.close());

async function open(limits: Partial<WireLimits> = {}): Promise<void> {
  const place = { storage: openStorage(), clock: SYSTEM_CLOCK };
  defects = [];
  const echo = async ({ body }: { body: Uint8Array }) => ({
    status: 200,
    body: `${body.byteLength}`,
  });
  const queues = createQueues({ ...place, endpoint: () => wire.url });
  queues.createQueue('jobs', {});
  wire = await openWire(
    {
      targets: { secretsmanager: createSecrets(place), AmazonSQS: queues },
      paths: [{ matches: ({ path }) => path.startsWith('/echo'), handler: { handle: echo } }],
      onDefect: (error) => void defects.push(error),
    },
    { limits },
  );
}

/** A raw connection; `text` is all it has said, `closed` resolves when it is over. */
function dial() {
  const socket: Socket = connect(wire.port, '127.0.0.1');
  const heard: Buffer[] = [];
  socket.on('error', () => undefined).on('data', (chunk) => heard.push(chunk));
  const text = () => Buffer.concat(heard).toString('latin1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const says = (words: string) =>
    new Promise<void>((resolve) => {
      const look = () => text().includes(words) && resolve();
      socket.on('data', look);
      look();
    });
  return { socket, text, closed, says };
}

const alive = async () => (await fetch(`${wire.url}/echo`, { method: 'POST', body: 'abc' })).text();
const call = async (target: string, body: string) => {
  const answer = await fetch(wire.url, {
    method: 'POST',
    headers: { 'x-amz-target': target },
    body,
  });
  return { status: answer.status, type: ((await answer.json()) as { __type: string }).__type };
};

ruleTest('wire', 'unknown-names', async () => {
  await open();
  for (const target of ['constructor.x', '__proto__.x', 'toString', 'secretsmanager.constructor']) {
    expect((await call(target, '{}')).type).toBe('UnknownOperationException');
  }
  expect(defects).toEqual([]);
});

ruleTest('wire', 'unknown-operation', async () => {
  await open();
  expect(await call('secretsmanager.RotateSecret', '{}')).toEqual({
    status: 400,
    type: 'UnknownOperationException',
  });
  expect(await call('AmazonSQS.TagQueue', '{}')).toEqual({
    status: 400,
    type: 'com.amazonaws.sqs#UnknownOperationException',
  });
});

ruleTest('wire', 'malformed-json', async () => {
  await open();
  for (const body of ['{', '[]', '7', 'null', '"x"', '\u0000', '{"a":}']) {
    expect(await call('secretsmanager.ListSecrets', body)).toEqual({
      status: 400,
      type: 'SerializationException',
    });
  }
});

ruleTest('wire', 'json-depth', async () => {
  await open();
  const deep = `{"SecretId":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect((await call('secretsmanager.GetSecretValue', deep)).status).toBe(400);
  expect(await alive()).toBe('3');
});

ruleTest('wire', 'body-declared', async () => {
  await open();
  const { socket, says } = dial();
  socket.write('PUT /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 107374182400\r\n\r\n');
  await says('HTTP/1.1 413');
  await says('RequestEntityTooLargeException');
  socket.destroy();
  expect(await alive()).toBe('3');
});

for (const framing of ['chunked', 'content-length'] as const) {
  ruleTest(
    'wire',
    'body-endless',
    async () => {
      await open({ bytesMax: 100_000, discardBytesMax: 200_000 });
      const { socket, text, closed } = dial();
      const declared =
        framing === 'chunked' ? 'transfer-encoding: chunked' : 'content-length: 1073741824';
      socket.write(`PUT /echo HTTP/1.1\r\nhost: x\r\n${declared}\r\n\r\n`);
      const piece = 'x'.repeat(16_384);
      const frame = framing === 'chunked' ? `4000\r\n${piece}\r\n` : piece;
      let sent = 0;
      const send = (): void => {
        if (socket.destroyed) return;
        sent += piece.length;
        socket.write(frame, send);
      };
      send();
      await closed;
      expect(text()).toContain('HTTP/1.1 413');
      // Sockets' own buffers are larger than what is let pass, and far smaller than a gigabyte.
      expect(sent).toBeLessThan(100_000_000);
      expect(await alive()).toBe('3');
    },
    framing,
  );
}

const HASTY = { headersMsMax: 60, durationMsMax: 120, checkEveryMs: 10 };

ruleTest('wire', 'slow-connection', async () => {
  await open(HASTY);
  const { closed, text } = dial();
  await closed;
  expect(text()).toBe('');
});

ruleTest('wire', 'slow-header', async () => {
  await open(HASTY);
  const fresh = dial();
  fresh.socket.write('GET /echo HTTP/1.1\r\nhost: x\r\nx-a');
  await fresh.closed;
  expect(fresh.text()).toContain('HTTP/1.1 408');
  const used = dial();
  used.socket.write('GET /echo HTTP/1.1\r\nhost: x\r\n\r\n');
  await used.says('HTTP/1.1 200');
  used.socket.write('GET /echo HTTP/1.1\r\nho');
  await used.closed;
  expect(used.text()).toContain('HTTP/1.1 408');
});

ruleTest('wire', 'slow-body', async () => {
  await open(HASTY);
  const { socket, closed, text } = dial();
  socket.write('PUT /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n');
  const drip = setInterval(() => void socket.write('x'), 5);
  await closed;
  clearInterval(drip);
  expect(text()).toContain('HTTP/1.1 408');
  expect(await alive()).toBe('3');
  expect(defects).toEqual([]);
});

/** WIRE_CONNECTIONS=9500 takes both ends of each to the usual limit of open files. */
const CONNECTIONS = Number(process.env['WIRE_CONNECTIONS'] ?? 750);

ruleTest('wire', 'many-connections', async () => {
  await open();
  const sockets: Socket[] = [];
  for (let count = 0; count < CONNECTIONS; count += 250) {
    const dialled = Array.from({ length: 250 }, (_, n) => {
      const { socket } = dial();
      sockets.push(socket);
      // Some have begun to speak, and some have not.
      if (n % 2 === 0) socket.write('PUT /echo HTTP/1.1\r\nhost: x\r\n');
      return new Promise((resolve) => socket.once('connect', resolve));
    });
    await Promise.all(dialled);
    const MessageBody = `m${count}`;
    await call('AmazonSQS.SendMessage', JSON.stringify({ QueueUrl: 'jobs', MessageBody }));
  }
  const headers = { 'x-amz-target': 'AmazonSQS.GetQueueAttributes' };
  const body = JSON.stringify({ QueueUrl: 'jobs', AttributeNames: ['All'] });
  const answer = await fetch(wire.url, { method: 'POST', headers, body });
  const { Attributes } = (await answer.json()) as { Attributes: Record<string, string> };
  expect(Attributes['ApproximateNumberOfMessages']).toBe(String(Math.ceil(CONNECTIONS / 250)));
  for (const socket of sockets) socket.destroy();
  expect(await alive()).toBe('3');
});

/** From nonsense to what is nearly a request. */
const noise = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(
      fc.constantFrom('GET', 'PUT', 'POST', 'PRI', 'get', 'X\u0000'),
      fc.constantFrom('/echo', '/', '*', 'http://[', '/%', '/echo?%', '//', '/\u00ff'),
      fc.constantFrom('HTTP/1.1', 'HTTP/2.0', 'HTTP/9', ''),
      fc.array(
        fc.constantFrom(
          'content-length: -1',
          'content-length: 1e9',
          'content-length: 5',
          'transfer-encoding: chunked',
          'transfer-encoding: x',
          'x-amz-target: secretsmanager.ListSecrets',
          'x-amz-target: \u00ff.\u00ff',
          'expect: 100-continue',
          'upgrade: h2c',
          'no colon',
        ),
        { maxLength: 4 },
      ),
      fc.string({ maxLength: 20, unit: 'binary' }),
    )
    .map(([method, path, version, headers, body]) =>
      Buffer.from(`${method} ${path} ${version}\r\n${headers.join('\r\n')}\r\n\r\n${body}`),
    ),
  fc
    .uint8Array({ maxLength: 60 })
    .map((bytes) => Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), bytes])),
);

ruleTest('wire', 'random-bytes', async () => {
  await open({ headersMsMax: 500, durationMsMax: 500, checkEveryMs: 50 });
  await fc.assert(
    fc.asyncProperty(fc.array(noise, { minLength: 1, maxLength: 4 }), async (pieces) => {
      const { socket, closed } = dial();
      for (const piece of pieces) socket.write(piece);
      socket.end();
      await closed;
      expect(await alive()).toBe('3');
    }),
    { numRuns: Number(process.env['WIRE_RUNS'] ?? 60) },
  );
  expect(defects).toEqual([]);
});
