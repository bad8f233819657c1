/** Lets the doctor look at a fake API through a pipeline file, either of which may have a mistake. */
import { expect } from 'vitest';
import { doctor } from '#cli/doctor/doctor';
import type { Finding } from '#cli/doctor/finding';
import type { PipelineInput } from '#config/pipeline-input';
import type { MapRecord } from '#config/pipeline-settings';
import { settingsOf } from '#test/config/pipeline-input';
import { whileListening } from '#test/demo/running-server';
import { FAKE_TOKEN, fakeApi } from './fake-api.ts';
import type { FakeApi, FakeRow } from './fake-api.ts';

type SourceInput = PipelineInput['source'];

export const SOURCE = {
  url: { env: 'ROWS_URL' },
  auth: { kind: 'bearer', secret: 'rows-token' },
  records: 'data',
  pagination: { kind: 'cursor', param: 'cursor', next: 'next_cursor' },
  incremental: { param: 'since', field: 'changed_at' },
  pageSize: { param: 'limit', value: 8 },
  deleted: { field: 'removed' },
} as const satisfies SourceInput;

export const PIPELINE = {
  name: 'rows',
  source: SOURCE,
  schedule: { everyMinutes: 1 },
  record: {
    key: 'id',
    version: { field: 'revision', format: 'integer' },
    eventTime: { field: 'happened_ms', format: 'epoch-ms' },
  },
  stream: { load: { recordsPerSecPeak: 10, recordBytesMean: 500 } },
  consumers: [{ kind: 'table', name: 'rows' }],
} as const satisfies PipelineInput;

export const incremental = (
  over: Partial<Exclude<SourceInput['incremental'], { kind: 'token' | 'delta-link' }>>,
) => ({
  source: { ...SOURCE, incremental: { ...SOURCE.incremental, ...over } },
});

export interface Patient {
  readonly api?: FakeApi;
  readonly file?: Partial<PipelineInput>;
  readonly map?: MapRecord;
  readonly seed?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** How far this machine's clock is ahead of the source's. */
  readonly aheadMs?: number;
  readonly urlOf?: (url: string) => string;
}

export interface Report {
  readonly ok: boolean;
  readonly pages: number;
  readonly records: number;
  readonly findings: readonly Finding[];
}

/** Lets it look, and makes sure that it says no secret and nothing of the URL's query. */
export async function examine(patient: Patient): Promise<Report> {
  const { api, file, map, seed = 7, env, aheadMs = 0, urlOf = (same) => same } = patient;
  const said = { out: '', err: '', failed: false };
  await whileListening(fakeApi(seed, api), (url) =>
    doctor(
      { settings: settingsOf({ ...PIPELINE, ...file }), map, file: 'rows.ts' },
      { pagesMax: 3, json: true },
      {
        io: {
          env: { ROWS_URL: `${urlOf(url)}/rows?key=query-secret`, ROWS_TOKEN: FAKE_TOKEN, ...env },
          out: (text) => void (said.out += text),
          err: (text) => void (said.err += text),
          terminalWidth: undefined,
        },
        fail: () => void (said.failed = true),
        clock: { nowMs: () => Date.now() + aheadMs, sleep: async () => undefined },
      },
    ),
  );
  expect(said.out + said.err).not.toMatch(/query-secret|fake-5c1e/);
  const report = JSON.parse(said.out) as Report;
  expect(said.failed).toBe(!report.ok);
  return report;
}

export const briefly = ({ findings }: Report) =>
  findings.map(({ severity, check, field }) => `${severity} ${check} ${field}`);

/** Changes each row before anything is asked. */
export const everyRow = (change: (row: FakeRow, at: number) => object) => ({
  rows: (rows: readonly FakeRow[]) =>
    rows.map((row, at): FakeRow => ({ ...row, ...change(row, at) })),
});

export const ms = (value: unknown) => Date.parse(String(value));
