/** Orders of a shop, newest state of each, every minute. */
import { definePipeline } from '#config/define-pipeline';

export default definePipeline({
  name: 'orders',
  source: {
    url: { env: 'ORDERS_API_URL' },
    auth: { kind: 'bearer', secret: 'orders-api-token' },
    records: 'data',
    pagination: { kind: 'cursor', param: 'cursor', next: 'next_cursor' },
    incremental: { param: 'updated_since', field: 'updated_at', horizonSec: 90 },
    pageSize: { param: 'limit', value: 500 },
    deleted: { field: 'deleted_at' },
  },
  schedule: { everyMinutes: 1 },
  record: { key: 'order_id', version: 'updated_at', eventTime: 'updated_at' },
  stream: { load: { recordsPerSecPeak: 1_500, recordBytesMean: 700 }, retentionHours: 168 },
  consumers: [{ kind: 'table', name: 'orders' }],
});
