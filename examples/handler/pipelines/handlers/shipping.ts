/** Tells a shipping service of every change of an order, each as good as once. */
import { defineHandler, refuse } from '#config/define-handler';

interface Order {
  readonly order_id: string;
  readonly revision: number;
  readonly address: string | null;
}

/** Of these no record is guilty: a wrong token, a timeout, too much at once. */
const PASSING = new Set([401, 403, 408, 425, 429]);

export default defineHandler<Order>(async (event, context) => {
  const { environment, idempotencyKey, isReplay, remainingMs, secret, signal } = context;
  for (;;) {
    const answer = await fetch(`${environment['SHIPPING_URL']}/shipments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await secret('shipping-token')}`,
        'content-type': 'application/json',
        // A key may hold what a header may not.
        'idempotency-key': encodeURIComponent(idempotencyKey),
        ...(isReplay ? { 'x-replay': 'true' } : {}),
      },
      body: JSON.stringify({ cancel: event.isDelete, order: event.data }),
      signal,
    });
    // 409: the service knows the key, so it has done this before.
    if (answer.ok || answer.status === 409) return;
    const said = `${answer.status} ${(await answer.text()).slice(0, 200)}`;
    if (answer.status < 500 && !PASSING.has(answer.status)) {
      throw refuse(`the shipping service refused the order: ${said}`);
    }
    const pauseMs = retryAfterMs(answer);
    if (pauseMs === undefined || pauseMs >= remainingMs()) {
      throw new Error(`the shipping service answered ${said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
});

/** Seconds, or a date; undefined where the service says nothing. */
function retryAfterMs(answer: Response): number | undefined {
  const said = answer.headers.get('retry-after');
  if (said === null) return undefined;
  const ms = /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
