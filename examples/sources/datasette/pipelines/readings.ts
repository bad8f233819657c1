/** A plant's readings, from the table of a SQLite file that datasette serves. */
import { definePipeline } from '#config/define-pipeline';

export default definePipeline({
  name: 'readings',
  source: {
    url: { env: 'READINGS_API_URL' },
    records: 'rows',
    // Rows that share a moment follow one another by their primary key: the token holds both.
    query: { _shape: 'objects', _sort: 'updated', _nocount: '1', _nofacet: '1' },
    pagination: { kind: 'cursor', param: '_next', next: 'next' },
    incremental: { param: 'updated__gte', format: 'local', field: 'updated', horizonSec: 2 },
    // Compared as a text: without zone and fraction it is the beginning of every time of its second.
    timeZone: 'UTC',
    pageSize: { param: '_size', value: 20 },
    deleted: { field: 'removed' },
  },
  schedule: { everyMinutes: 1 },
  record: { key: 'id', version: 'updated', eventTime: 'updated' },
  stream: { load: { recordsPerSecPeak: 50, recordBytesMean: 300 } },
  consumers: [{ kind: 'table', name: 'readings' }],
});
