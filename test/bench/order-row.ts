const BYTES = 499;
const FIRST_MS = Date.UTC(2025, 0, 1);

/** One order of about 499 bytes of JSON, as a source answers it: of `keys` keys in turn, newer each time. */
export function orderRow(at: number, keys: number) {
  const order = {
    order_id: `order-${String((at * 7_919) % keys).padStart(7, '0')}`,
    updated_at: new Date(FIRST_MS + at).toISOString(),
    version: at,
    customer: { id: at % 977, email: `customer-${at % 977}@example.com`, tier: 'gold' },
    lines: [
      { sku: `sku-${at % 311}`, quantity: 1 + (at % 5), cents: 1_999 },
      { sku: `sku-${at % 211}`, quantity: 2, cents: 450 + (at % 100) },
    ],
    shipped: at % 2 === 0,
    note: '',
  };
  const left = BYTES - JSON.stringify(order).length;
  return { ...order, note: 'lorem ipsum dolor sit amet '.repeat(20).slice(0, Math.max(0, left)) };
}
