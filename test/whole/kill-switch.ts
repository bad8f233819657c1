/** Kills the processes of a function at once, wherever they run: each of them waits for the order. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { serve } from '#test/adapters/http/scripted-server';

export interface KillSwitch {
  /** Variables for the function whose processes it kills. */
  readonly env: Readonly<Record<string, string>>;
  /** How many of its processes run. */
  running(): number;
  /** Kill all that run; answers how many there were, once they are gone. */
  kill(): Promise<number>;
}

/** Runs before the function's own code. A switch that is gone gives no order. */
const OBEY = `fetch(process.env.KILL_SWITCH).then(
  () => process.kill(process.pid, 'SIGKILL'),
  () => undefined,
)`;

/** Open one until the test is over. */
export async function killSwitch(): Promise<KillSwitch> {
  const running = new Set<ServerResponse>();
  const { url } = await serve((response) => {
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  return {
    env: {
      KILL_SWITCH: url,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(OBEY)}`,
    },
    running: () => running.size,
    async kill() {
      const victims = [...running];
      await Promise.all(
        victims.map(async (response) => {
          const gone = once(response, 'close');
          response.write('now');
          await gone;
        }),
      );
      return victims.length;
    },
  };
}
