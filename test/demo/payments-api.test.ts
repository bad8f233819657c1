import { expect, test } from 'vitest';
import { paymentsApi } from '#demo/payments-api';
import { askUntilOk, whileListening } from './running-server.ts';

const headers = { authorization: 'Bearer secret-of-the-test' };

/** A server whose real clock is moved by hand. */
function serverAt() {
  const real = { ms: 0 };
  const token = 'secret-of-the-test';
  const shop = { seed: 7, changes: 2_000, seconds: 3, speed: 60, token };
  return { server: paymentsApi({ ...shop, realMs: () => real.ms }), real };
}

interface Payment {
  readonly payment_id: string;
  readonly order_id?: string;
  readonly changed: number;
}

/** Past each fault, as a patient client goes. */
const page = async (url: string, real: { ms: number }, query: string) =>
  (await askUntilOk(() => {
    real.ms += 1_000;
    return fetch(`${url}/v2/payments?${query}`, { headers });
  })) as unknown as readonly Payment[];

test('without the bearer token the answer is 401', async () => {
  await whileListening(serverAt().server, async (url) => {
    const answer = await fetch(`${url}/v2/payments`, { headers: { authorization: 'Bearer x' } });
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'unauthorized' }]);
  });
});

test.each([['take=0'], ['take=501'], ['take=x'], ['skip=-1'], ['skip=0.5'], ['changed_since=now']])(
  '%s is refused with 400',
  async (query) => {
    await whileListening(serverAt().server, async (url) => {
      expect((await fetch(`${url}/v2/payments?${query}`, { headers })).status).toBe(400);
    });
  },
);

test('read out by place, the bare arrays hold the truth, in the order of creation', async () => {
  const { server, real } = serverAt();
  await whileListening(server, async (url) => {
    await page(url, real, 'take=1');
    real.ms += 60_000;
    const rows: Payment[] = [];
    for (let skip = 0; skip === rows.length; skip += 97) {
      rows.push(...(await page(url, real, `take=97&skip=${skip}`)));
    }
    const truth = (await (await fetch(`${url}/truth`)).json()) as Record<string, unknown>;
    expect(truth).toMatchObject({ quiet: true, malformed: 1, changes: truth['changesPlanned'] });
    expect(rows.filter(({ order_id: id }) => id !== undefined)).toEqual(truth['rows']);
    const ids = rows.map(({ payment_id: id }) => id);
    expect(ids).toEqual(ids.toSorted());
    expect(truth['rowCount']).toBe(rows.length - 1);
  });
});

test('the bound is inclusive, in whole seconds, and leaves out what changed before it', async () => {
  const { server, real } = serverAt();
  await whileListening(server, async (url) => {
    await page(url, real, 'take=1');
    real.ms += 60_000;
    const all = await page(url, real, 'take=500');
    const since = all[40]!.changed;
    const changed = await page(url, real, `take=500&changed_since=${since}`);
    expect(changed).toEqual(all.filter((payment) => payment.changed >= since));
    expect(changed.length).toBeLessThan(all.length);
    expect(changed).toContainEqual(all[40]);
  });
});
