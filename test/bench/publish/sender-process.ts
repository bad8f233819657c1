/**
 * A sender of the whole path in a process of its own: `node sender-process.ts <which> <pages> <records>`
 * runs once for each endpoint that it is told of, and answers what that took.
 */
import type { Spent } from './senders.ts';
import { bareLoop, ENVELOPED, ourPoller, PLAIN } from './whole-path.ts';

const [which = '', pages = '', records = '0'] = process.argv.slice(2);
const sender = await senderOf();

process.on('message', (endpoint: string) => void run(endpoint));
process.send?.(sender.name);

function senderOf() {
  switch (which) {
    case 'same':
      return bareLoop(pages, ENVELOPED);
    case 'plain':
      return bareLoop(pages, PLAIN);
    default:
      return ourPoller(pages, Number(records));
  }
}

async function run(endpoint: string): Promise<void> {
  const { run: send, close } = sender.prepare(endpoint, []);
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await send();
  const tookMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  close();
  process.send?.({ tookMs, cpuUs: user + system } satisfies Spent);
}
