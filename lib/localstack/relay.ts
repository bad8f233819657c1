/**
 * Lends servers of this machine's loopback to functions inside a container.
 *
 * Every connection goes from here into the container, through a port that Docker publishes on
 * loopback: no server has to listen on another address, and no firewall has to let a container in.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface RelayAddress {
  /** Where the far end answers, on this machine's loopback. */
  readonly controlPort: number;
  /** The container's own address, as every function sees it. */
  readonly insideHost: string;
}

export interface Relay {
  /**
   * Lend the server that a URL of this machine names; answers the URL as functions see it.
   *
   * @example await relay.reach('http://127.0.0.1:5000/orders') // 'http://172.17.0.2:5000/orders'
   */
  reach(url: string): Promise<string>;
  /** Take everything back. */
  close(): void;
}

/** Connections of one server that wait for a client. */
const WAITING = 8;
/** The far end is started with the container, and answers a little later. */
const HOLD_TRIES = 100;
const HOLD_GAP_MS = 100;

export function openRelay({ controlPort, insideHost }: RelayAddress): Relay {
  const sockets = new Set<Socket>();
  const lent = new Map<number, Promise<unknown>>();

  const open = async (line: string): Promise<Socket> => {
    const socket = await ask(controlPort, line);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };

  const serve = async (port: number): Promise<void> => {
    const outside = await open(`serve ${port}`);
    outside.once('readable', () => {
      const server = connect({ port, host: '127.0.0.1', noDelay: true });
      sockets.add(server);
      join(outside, server);
      server.once('close', () => sockets.delete(server));
      // The container may be gone by now; then nobody asks for another.
      serve(port).catch(() => undefined);
    });
  };

  const lend = (port: number) => Promise.all(Array.from({ length: WAITING }, () => serve(port)));

  return {
    async reach(url) {
      const inside = new URL(url);
      const port = Number(inside.port);
      const lending = lent.get(port) ?? lend(port);
      lent.set(port, lending);
      await lending.catch((error: unknown) => {
        lent.delete(port);
        throw error;
      });
      inside.hostname = insideHost;
      return inside.href;
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Keep a container alive: it ends when this connection does, however this process ends.
 *
 * @returns what lets it go.
 */
export async function holdContainer(controlPort: number): Promise<() => void> {
  for (let tries = 1; ; tries += 1) {
    try {
      const socket = await ask(controlPort, 'hold');
      socket.resume().unref();
      return () => socket.destroy();
    } catch (error) {
      if (tries >= HOLD_TRIES) throw error;
      await pause(HOLD_GAP_MS);
    }
  }
}

/** Connect, say a line, and wait for the empty line that answers it. */
function ask(port: number, line: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject).once('close', () => reject(new Error('The relay is gone.')));
    socket.once('connect', () => socket.write(`${line}\n`));
    // What follows the answer is already a client's.
    socket.once('readable', () => socket.read(1) !== null && resolve(socket));
  });
}

function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy()).once('close', () => to.destroy());
    from.pipe(to);
  }
}
