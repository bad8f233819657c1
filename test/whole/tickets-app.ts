/** The tickets pipeline, in whichever cloud a test is given. */
import { scanAll } from '#cli/table-reader';
import type { AppAsk, Cloud, Deployment } from '#test/clouds/cloud';
import { TICKETS_FILE, TICKETS_TOKEN } from './tickets-source.ts';
import type { TicketsSource } from './tickets-source.ts';

/** Long enough for the slower of the clouds, on a busy machine. */
export const WAIT = { timeout: 240_000, interval: 200 };

/** The names of what is deployed. */
export function namesOf({ stage }: Pick<Deployment, 'stage'>) {
  const prefix = `penstock-${stage}-tickets`;
  return {
    stream: prefix,
    table: `${prefix}-tickets`,
    stateTable: `penstock-${stage}-state`,
    pollFunction: `${prefix}-poll`,
    consumeFunction: `${prefix}-consume-tickets`,
    quarantineBucket: `${prefix}-refused-000000000000-us-east-1`,
  };
}

/** Deploy it. Its functions are `-poll` and `-consume-tickets`. */
export function deployTickets(
  cloud: Cloud,
  source: TicketsSource,
  ask: Partial<AppAsk> = {},
): Promise<Deployment> {
  const env = { TICKETS_API_URL: source.url, TICKETS_API_TOKEN: TICKETS_TOKEN };
  return cloud.deploy({ pipeline: TICKETS_FILE, ...ask, env: { ...env, ...ask.env } });
}

/** What the table says of each ticket: its revision, and whether it is closed. */
export async function tableRows(
  deployment: Pick<Deployment, 'stage' | 'connection'>,
  table = namesOf(deployment).table,
): Promise<Map<string, string>> {
  const items = await scanAll(deployment.connection.dynamodb, table);
  return new Map(
    items.map((item) => [
      item['ticket_id']?.S ?? '',
      item['_deleted']?.BOOL ? 'closed' : `revision ${item['revision']?.N}`,
    ]),
  );
}

/** What the source says, in the same words. */
export function sourceRows({ rows }: TicketsSource): Map<string, string> {
  return new Map(
    [...rows.values()].map((row) => [
      row.ticket_id,
      row.closed_at === null ? `revision ${row.revision}` : 'closed',
    ]),
  );
}
