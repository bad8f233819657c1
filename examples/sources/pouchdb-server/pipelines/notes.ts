/** Notes from the change feed of a CouchDB or a pouchdb-server, deletes too. */
import { definePipeline } from '#config/define-pipeline';

export default definePipeline({
  name: 'notes',
  source: {
    url: { env: 'NOTES_CHANGES_URL' },
    records: 'results',
    query: { include_docs: 'true' },
    pagination: { kind: 'feed' },
    incremental: { kind: 'token', param: 'since', next: 'last_seq', first: '0' },
    pageSize: { param: 'limit', value: 20 },
    deleted: { field: 'deleted' },
  },
  schedule: { everyMinutes: 1 },
  record: {
    key: 'id',
    // Unlike the revision of a document, it rises through a delete and what comes after.
    version: { field: 'seq', format: 'revision' },
    eventTime: 'doc.written_at',
  },
  stream: { load: { recordsPerSecPeak: 50, recordBytesMean: 500 } },
  consumers: [{ kind: 'table', name: 'notes', attributes: { changes: false } }],
  // Views and filters are documents as well.
  map: (change) => (String(change['id']).startsWith('_design/') ? null : change),
});
