/** Payments for a shop's orders, refunds and voids included, every minute. */
import { definePipeline } from '#config/define-pipeline';

export default definePipeline({
  name: 'payments',
  source: {
    url: { env: 'PAYMENTS_API_URL' },
    auth: { kind: 'bearer', secret: 'payments-api-token' },
    // The answer is the array itself, in order of creation, not of change.
    records: '',
    pagination: { kind: 'offset', param: 'skip' },
    incremental: {
      param: 'changed_since',
      format: 'epoch-s',
      field: 'changed',
      fieldFormat: 'epoch-s',
      ordered: false,
      horizonSec: 60,
    },
    pageSize: { param: 'take', value: 200 },
    deleted: { field: 'voided' },
  },
  schedule: { everyMinutes: 1 },
  record: {
    key: 'payment_id',
    version: { field: 'version', format: 'integer' },
    eventTime: { field: 'changed', format: 'epoch-s' },
    // As orders are: under one key, in streams of equally many shards, a payment and its order
    // have the same shard number, so that one reader of both numbers can join them alone.
    partitionBy: 'order_id',
  },
  // As many shards as orders have: change both or neither.
  stream: { load: { recordsPerSecPeak: 1_500, recordBytesMean: 500 }, retentionHours: 168 },
  consumers: [{ kind: 'table', name: 'payments' }],
});
