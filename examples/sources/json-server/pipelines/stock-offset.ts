/** What is in stock, from a json-server: by offset, in the order of change. */
import { definePipeline } from '#config/define-pipeline';

export default definePipeline({
  name: 'stock-offset',
  source: {
    url: { env: 'STOCK_API_URL' },
    records: '',
    query: { _sort: 'updated_at', _order: 'asc' },
    // A row that changes goes to the end, and all behind it move up by one.
    pagination: {
      kind: 'offset',
      param: '_start',
      total: { header: 'X-Total-Count' },
      overlap: 10,
    },
    incremental: {
      param: 'updated_at_gte',
      format: 'local',
      field: 'updated_at',
      horizonSec: 2,
    },
    // Compared as a text: without zone and fraction it is the beginning of every time of its second.
    timeZone: 'UTC',
    pageSize: { param: '_limit', value: 20 },
    deleted: { field: 'deleted_at' },
  },
  schedule: { everyMinutes: 1 },
  record: { key: 'id', version: 'updated_at', eventTime: 'updated_at' },
  stream: { load: { recordsPerSecPeak: 50, recordBytesMean: 300 } },
  consumers: [{ kind: 'table', name: 'stock' }],
});
