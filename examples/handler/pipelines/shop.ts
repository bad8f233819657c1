/** A shop's orders: the newest of each in a table, and every change told to a shipping service. */
import { definePipeline } from '#config/define-pipeline';

export default definePipeline({
  name: 'shop',
  source: {
    url: { env: 'SHOP_URL' },
    records: 'orders',
    pagination: { kind: 'offset', param: 'skip' },
    incremental: { param: 'since', field: 'updated_at', horizonSec: 60 },
    pageSize: { param: 'take', value: 100 },
    deleted: { field: 'cancelled_at' },
  },
  schedule: { everyMinutes: 1 },
  record: {
    key: 'order_id',
    version: { field: 'revision', format: 'integer' },
    eventTime: 'updated_at',
  },
  stream: { load: { recordsPerSecPeak: 50, recordBytesMean: 900 } },
  consumers: [
    { kind: 'table', name: 'orders' },
    {
      kind: 'handler',
      name: 'shipping',
      file: './handlers/shipping.ts',
      per: 'record',
      environment: { SHIPPING_URL: { env: 'SHIPPING_URL' } },
      secrets: ['shipping-token'],
      timeoutSec: 30,
    },
  ],
});
