/** A stock that is shown only to who brings an access token of the OpenID provider before it. */
import { definePipeline } from '#config/define-pipeline';

export default definePipeline({
  name: 'guarded-stock',
  source: {
    url: { env: 'STOCK_API_URL' },
    auth: {
      kind: 'oauth2',
      tokenUrl: { env: 'STOCK_TOKEN_URL' },
      clientId: 'penstock',
      secret: 'stock-client-secret',
      scope: 'stock.read',
      clientIn: 'header',
    },
    records: '',
    query: { _sort: 'id' },
    pagination: { kind: 'link', first: { _page: '1' } },
    incremental: {
      param: 'updated_at_gte',
      format: 'local',
      field: 'updated_at',
      ordered: false,
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
