/** Asks for a port before the work that would be in vain without it. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { CliError } from '#cli/cli-error';
import { portTaken } from '#local/port-taken';

/** @throws {CliError} in one sentence, when something else listens there. */
export async function refuseTaken(port: number): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw new CliError(portTaken(port));
    throw error;
  }
  server.close();
  await once(server, 'close');
}
