/** A server on a free port of loopback for the time of one test. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function whileListening(
  server: Server,
  use: (url: string) => Promise<void>,
): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Ask again until a request is let through: demo sources fail on purpose. */
export async function askUntilOk(ask: () => Promise<Response>): Promise<Record<string, unknown>> {
  for (;;) {
    const text = await ask()
      .then(
        async (answer) => (answer.ok ? await answer.text() : ''),
        () => '',
      )
      .catch(() => '');
    if (text !== '') return JSON.parse(text) as Record<string, unknown>;
  }
}
