import { expect, test } from 'vitest';
import { ordersApi } from '#demo/orders-api';
import { whileListening } from './running-server.ts';

const START = 'Sun, 01 Mar 2026 08:00:00 GMT';
const TOKEN = { authorization: 'Bearer secret-of-the-test' };

/** A server whose real clock is moved by hand. */
function serverAt({ seed = 7, changes = 600 } = {}) {
  const real = { ms: 0 };
  const server = ordersApi({
    seed,
    changes,
    seconds: 3,
    speed: 60,
    token: 'secret-of-the-test',
    realMs: () => real.ms,
  });
  return { server, real };
}

interface Page {
  readonly data: readonly { order_id?: string; updated_at: string }[];
  readonly next_cursor: string | null;
}
interface Truth {
  readonly quiet: boolean;
  readonly changes: number;
  readonly changesPlanned: number;
  readonly malformed: number;
  readonly rowCount: number;
  readonly rows: readonly { order_id: string; updated_at: string }[];
  readonly requests: Record<string, number>;
}
const truthOf = async (url: string) => (await (await fetch(`${url}/truth`)).json()) as Truth;

/** Ask until answered, going past each fault as a patient client does. */
async function page(url: string, query: string, real: { ms: number }): Promise<Page> {
  for (;;) {
    try {
      const answer = await fetch(`${url}/orders?${query}`, { headers: TOKEN });
      const body = await answer.text();
      if (answer.ok) return JSON.parse(body) as Page;
      if (answer.status === 429) real.ms += 1_000;
    } catch {
      // A connection that was cut on purpose.
    }
  }
}

test.each([
  [{}],
  [{ authorization: 'Bearer wrong' }],
  [{ authorization: 'Basic secret-of-the-test' }],
])('without the bearer token the answer is 401: %j', async (headers) => {
  await whileListening(serverAt().server, async (url) => {
    const answer = await fetch(`${url}/orders`, { headers });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error: 'unauthorized' });
  });
});

test.each([
  ['limit=0'],
  ['limit=1001'],
  ['limit=ten'],
  ['updated_since=yesterday'],
  ['cursor=bm9uc2Vuc2U'],
])('%s is refused with 400', async (query) => {
  await whileListening(serverAt().server, async (url) => {
    expect((await fetch(`${url}/orders?${query}`, { headers: TOKEN })).status).toBe(400);
  });
});

test('a connection outlasts a minute of rest, and says so', async () => {
  await whileListening(serverAt().server, async (url) => {
    expect((await fetch(`${url}/truth`)).headers.get('keep-alive')).toBe('timeout=65');
  });
});

test('an unknown path is 404', async () => {
  await whileListening(serverAt().server, async (url) => {
    expect((await fetch(`${url}/order`, { headers: TOKEN })).status).toBe(404);
  });
});

test('the clock stands until the first request that is let in, and Date tells it', async () => {
  const { server, real } = serverAt();
  await whileListening(server, async (url) => {
    real.ms = 5_000;
    await fetch(`${url}/orders`);
    const first = await fetch(`${url}/orders?limit=1`, { headers: TOKEN });
    expect(first.headers.get('date')).toBe(START);
    real.ms += 500;
    const later = await fetch(`${url}/truth?rows=none`);
    expect(later.headers.get('date')).toBe('Sun, 01 Mar 2026 08:00:30 GMT');
  });
});

test('read out from beginning to end, the pages hold the truth', async () => {
  const { server, real } = serverAt();
  await whileListening(server, async (url) => {
    await page(url, 'limit=1', real);
    real.ms += 60_000;
    const rows: Page['data'][number][] = [];
    let query = 'limit=97';
    for (let next: string | null = ''; next !== null; query = `limit=97&cursor=${next}`) {
      const { data, next_cursor: cursor } = await page(url, query, real);
      rows.push(...data);
      next = cursor;
    }
    const truth = await truthOf(url);
    expect(truth.quiet).toBe(true);
    expect(truth.changes).toBe(truth.changesPlanned);
    expect(truth.malformed).toBe(1);
    expect(truth.rowCount).toBe(truth.rows.length);
    const whole = rows.filter(({ order_id: id }) => id !== undefined);
    expect(rows.length - whole.length).toBe(1);
    const byId = (list: readonly { order_id?: string | undefined }[]) =>
      list.toSorted((one, other) => (String(one.order_id) < String(other.order_id) ? -1 : 1));
    expect(byId(whole)).toEqual(byId(truth.rows));
  });
});

test('the bound is inclusive', async () => {
  const { server, real } = serverAt();
  await whileListening(server, async (url) => {
    const { data } = await page(url, 'limit=10', real);
    const bound = data[4]!.updated_at;
    const after = await page(url, `limit=10&updated_since=${bound}`, real);
    expect(after.data[0]).toEqual(data[4]);
  });
});

test('a wait that is cut short is counted, and asked for again', async () => {
  const { server, real } = serverAt();
  await whileListening(server, async (url) => {
    let answer = await fetch(`${url}/truth?rows=none`);
    for (let tries = 0; answer.status !== 429 && tries < 40; tries += 1) {
      answer = await fetch(`${url}/orders?limit=1`, { headers: TOKEN })
        .then(
          async (some) => (await some.text(), some),
          () => answer,
        )
        .catch(() => answer);
    }
    expect(answer.status).toBe(429);
    const again = await fetch(`${url}/orders?limit=1`, { headers: TOKEN });
    expect(again.status).toBe(429);
    expect((await truthOf(url)).requests['tooEarly']).toBe(1);
    real.ms += 1_000;
    await page(url, 'limit=1', real);
    expect((await truthOf(url)).requests['tooEarly']).toBe(1);
  });
});

test('within its first dozen requests it asks to wait in both forms, fails, and cuts a body', async () => {
  const { server, real } = serverAt();
  await whileListening(server, async (url) => {
    const seen = new Set<string>();
    for (let request = 0; request < 13; request += 1) {
      try {
        const answer = await fetch(`${url}/orders?limit=5`, { headers: TOKEN });
        await answer.text();
        const wait = answer.headers.get('retry-after');
        if (wait === '1') seen.add('seconds');
        else if (wait !== null) {
          seen.add('date');
          const ahead = Date.parse(wait) - Date.parse(answer.headers.get('date') ?? '');
          expect(ahead).toBe(1_000);
        }
        if (answer.status === 503) seen.add('unavailable');
      } catch {
        seen.add('cut');
      }
      real.ms += 1_000;
    }
    expect([...seen].sort()).toEqual(['cut', 'date', 'seconds', 'unavailable']);
    const { requests } = await truthOf(url);
    expect(requests).toMatchObject({ waits: 2, unavailable: 1, dropped: 1, tooEarly: 0 });
  });
});
