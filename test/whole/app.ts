/** The tickets pipeline, synthesized from its one file. */
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { putSecrets } from '#cli/cloud/put-secrets';
import { synthesize } from '#cli/cloud/synthesize';
import { connect } from '#cli/connection';
import { SCRATCH_DIRECTORY } from '#cli/project';
import { scanAll } from '#cli/table-reader';
import { startCloud } from '#local/cloud';
import type { Cloud } from '#local/cloud';
import type { CloudOptions } from '#local/cloud-options';
import { TICKETS_FILE, TICKETS_TOKEN } from './tickets-source.ts';
import type { TicketsSource } from './tickets-source.ts';

export const STAGE = 'whole';
export const TABLE = `penstock-${STAGE}-tickets-tickets`;
export const STATE_TABLE = `penstock-${STAGE}-state`;
export const POLL_FUNCTION = `penstock-${STAGE}-tickets-poll`;
export const CONSUME_FUNCTION = `penstock-${STAGE}-tickets-consume-tickets`;

/** A folder inside the project, so that a pipeline file finds `#config`; gone in the end. */
export async function scratch(
  whenDone: (remove: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  await mkdir(SCRATCH_DIRECTORY, { recursive: true });
  const directory = await mkdtemp(join(SCRATCH_DIRECTORY, 'test-'));
  whenDone(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Write the one file and synthesize; answers the folder of the synthesized app. */
export async function synthesizeTickets(directory: string): Promise<string> {
  const pipelinesDirectory = join(directory, 'pipelines');
  await mkdir(pipelinesDirectory);
  await writeFile(join(pipelinesDirectory, 'tickets.ts'), TICKETS_FILE);
  const cdkOut = join(directory, 'cdk.out');
  await synthesize({ stage: STAGE, cdkOut, pipelinesDirectory, env: process.env });
  return cdkOut;
}

/** Run it in a local cloud until the test is over. */
export async function runTickets(
  source: TicketsSource,
  options: Pick<CloudOptions, 'cdkOut' | 'faults' | 'keepDir' | 'onEvent'>,
): Promise<Cloud> {
  const cloud = await startCloud({
    ...options,
    parameters: { TicketsApiUrl: source.url },
    tempo: true,
    async beforeRunning(endpoint) {
      const connection = connect(endpoint, {});
      const name = `penstock/${STAGE}/tickets-api-token`;
      await putSecrets(await connection.signed('secretsmanager'), [{ name, value: TICKETS_TOKEN }]);
      connection.close();
    },
  });
  onTestFinished(() => cloud.stop());
  return cloud;
}

/** What the table says of each ticket: its revision, and whether it is closed. */
export async function tableRows(endpoint: string): Promise<Map<string, string>> {
  const connection = connect(endpoint, {});
  try {
    const items = await scanAll(connection.dynamodb, TABLE);
    return new Map(
      items.map((item) => [
        item['ticket_id']?.S ?? '',
        item['_deleted']?.BOOL ? 'closed' : `revision ${item['revision']?.N}`,
      ]),
    );
  } finally {
    connection.close();
  }
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

/** Kill, as the kernel would, every process of a cloud's function; answers how many there were. */
export function killFunction(name: string, { endpoint }: { readonly endpoint: string }): number {
  const marks = [`AWS_LAMBDA_FUNCTION_NAME=${name}\0`, `AWS_ENDPOINT_URL=${endpoint}\0`];
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  const theirs = pids.filter((pid) => marks.every((mark) => environmentOf(pid).includes(mark)));
  for (const pid of theirs) process.kill(Number(pid), 'SIGKILL');
  return theirs.length;
}

function environmentOf(pid: string): string {
  try {
    return `${readFileSync(`/proc/${pid}/environ`, 'utf8')}\0`;
  } catch {
    return ''; // It ended between the two looks.
  }
}
