/** The local cloud in this process: one for each deployment. */
import { onTestFinished } from 'vitest';
import { startPipelines } from '#cli/cloud/start';
import { synthesizeApp } from './app.ts';
import type { Cloud } from './cloud.ts';

export const embeddedCloud: Cloud = {
  name: 'embedded',
  endpoint: undefined,
  reach: (url) => Promise.resolve(url),
  async deploy(ask) {
    const app = await synthesizeApp(ask);
    // A schedule's minute is shortened here; what polls is the schedule all the same.
    const running = await startPipelines({ ...app, tempo: true, port: 0 });
    onTestFinished(running.stop);
    const { endpoint, connection } = running;
    return { stage: app.stage, endpoint, connection, cdkOut: app.cdkOut };
  },
};
