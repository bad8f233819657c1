/** A cloud of queues, asked as its port would, on a clock that a test moves. */
import { createQueues } from '#local/emulators/queues/queues';
import type { QueueLimits } from '#local/emulators/queues/queue-state';
import { openStorage } from '#local/storage';
import { ask } from '#test/local/ask';
import { steppedClock } from '#local/kit/stepped-clock';

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export const START_MS = Date.parse('2026-05-04T03:02:01Z');

export function queueCloud({
  limits = {},
  storage = openStorage(),
}: { limits?: Partial<QueueLimits>; storage?: ReturnType<typeof openStorage> } = {}) {
  const clock = steppedClock(START_MS);
  const endpoint = () => 'http://127.0.0.1:4566';
  const queues = createQueues({ storage, clock, endpoint, limits });
  const call = async (operation: string, input: object): Promise<Told> => {
    const headers = { 'x-amz-target': `AmazonSQS.${operation}` };
    const answer = await ask(queues, 'POST', '/', { headers, body: JSON.stringify(input) });
    return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.text) };
  };
  const urlOf = (name: string) => `http://127.0.0.1:4566/000000000000/${name}`;
  const make = (name: string, Attributes: object = {}) =>
    call('CreateQueue', { QueueName: name, Attributes });
  const send = (name: string, MessageBody: string, more: object = {}) =>
    call('SendMessage', { QueueUrl: urlOf(name), MessageBody, ...more });
  const receive = (name: string, more: object = {}) =>
    call('ReceiveMessage', { QueueUrl: urlOf(name), ...more });
  /** @returns the bodies of up to ten messages. */
  const bodies = async (name: string, more: object = {}): Promise<string[]> => {
    const { body } = await receive(name, { MaxNumberOfMessages: 10, ...more });
    return (body.Messages ?? []).map((message: { Body: string }) => message.Body);
  };
  const attributes = async (name: string): Promise<Record<string, string>> =>
    (await call('GetQueueAttributes', { QueueUrl: urlOf(name), AttributeNames: ['All'] })).body
      .Attributes;
  return { clock, queues, call, make, send, receive, bodies, attributes, urlOf };
}

export const codeOf = ({ body }: Told): string => String(body.__type).split('#').at(-1) ?? '';
