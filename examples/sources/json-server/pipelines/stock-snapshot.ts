/** What is in stock, from a json-server: all of it each time, unless nothing has changed. */
import { definePipeline } from '#config/define-pipeline';

export default definePipeline({
  name: 'stock-snapshot',
  source: {
    url: { env: 'STOCK_API_URL' },
    records: '',
    pagination: { kind: 'none' },
    incremental: { kind: 'snapshot' },
  },
  schedule: { everyMinutes: 5 },
  record: { key: 'id', version: { observed: true }, eventTime: { observed: true } },
  stream: { load: { recordsPerSecPeak: 50, recordBytesMean: 300 } },
  consumers: [{ kind: 'table', name: 'stock' }],
});
