/** The tickets pipeline with other consumers. */
import { TICKETS_FILE } from './tickets-source.ts';

const CONSUMERS = "consumers: [{ kind: 'table', name: 'tickets' }]";

/** How often the `audit` consumer is tried again with the same records. */
export const AUDIT_RETRIES = 2;

/** A second consumer on the same stream, which soon gives up; its function is `-consume-audit`. */
export const WITH_AUDIT = TICKETS_FILE.replace(
  CONSUMERS,
  `consumers: [
    { kind: 'table', name: 'tickets' },
    { kind: 'table', name: 'audit', batchSize: 2, retryAttempts: ${AUDIT_RETRIES} },
  ]`,
);

/** Of a source that is open to all: it can be polled the moment it is deployed. */
export const WITHOUT_SECRET = TICKETS_FILE.replace(/^ *auth: .*\n/m, '');
