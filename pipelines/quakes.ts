/** Earthquakes of the USGS feed, as they are measured and revised. */
import { definePipeline } from '#config/define-pipeline';

export default definePipeline({
  name: 'quakes',
  source: {
    url: {
      env: 'QUAKES_API_URL',
      default: 'https://earthquake.usgs.gov/fdsnws/event/1/query',
    },
    query: {
      format: 'geojson',
      orderby: 'time-asc',
      starttime: { env: 'QUAKES_START', default: '2026-11-01' },
    },
    records: 'features',
    pagination: { kind: 'offset', param: 'offset', first: 1 },
    pageSize: { param: 'limit', value: 500 },
    // Answers stand in order of origin, not of revision, and the bound itself is left out.
    incremental: {
      param: 'updatedafter',
      field: 'properties.updated',
      fieldFormat: 'epoch-ms',
      inclusive: false,
      ordered: false,
      horizonSec: 120,
    },
  },
  schedule: { everyMinutes: 5 },
  record: {
    key: 'id',
    version: { field: 'properties.updated', format: 'epoch-ms' },
    eventTime: { field: 'properties.time', format: 'epoch-ms' },
  },
  stream: { load: { recordsPerSecPeak: 200, recordBytesMean: 1_100 } },
  consumers: [{ kind: 'table', name: 'quakes' }],
});
