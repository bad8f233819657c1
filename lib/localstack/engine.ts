/** Docker, as testcontainers finds it; or one sentence that says why not, and what to do. */
import { connect } from 'node:net';
import { getContainerRuntimeClient } from 'testcontainers';
import type { ContainerRuntimeClient } from 'testcontainers';
import { LocalStackError } from './localstack-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const SOCKET = '/var/run/docker.sock';

/** @throws {LocalStackError} when no engine answers. */
export async function findEngine(env: Environment): Promise<ContainerRuntimeClient> {
  // What a killed process leaves is removed by the container itself, so no reaper is needed, whose
  // image cannot always be pulled; and only loopback is addressed, unless another host is named.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';
  if (env['DOCKER_HOST'] === undefined) process.env['TESTCONTAINERS_HOST_OVERRIDE'] ??= '127.0.0.1';
  try {
    return await getContainerRuntimeClient();
  } catch (error) {
    throw new LocalStackError(await whyNot(env), { cause: error });
  }
}

async function whyNot({ DOCKER_HOST }: Environment): Promise<string> {
  if (DOCKER_HOST !== undefined) {
    return `No Docker engine answers at DOCKER_HOST=${DOCKER_HOST}: start it, or unset the variable.`;
  }
  const code = await knock(SOCKET);
  if (code === 'EACCES') {
    return `Docker runs, but this user may not use ${SOCKET}: join the group docker, or run as root.`;
  }
  return code === 'ENOENT'
    ? 'There is no Docker here: install and start one, or set DOCKER_HOST.'
    : `No Docker engine answers at ${SOCKET}: start it.`;
}

/** The code of the error that a connection to a socket meets. */
function knock(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => (socket.destroy(), resolve(undefined)));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });
}
