/** Shows and closes the breakers of a pipeline's consumers. */
import { dynamoBreakerStore } from '#adapters/dynamodb/breaker-store';
import type { PipelineSettings } from '#config/pipeline-settings';
import { stageNames } from '#config/resource-names';
import type { BreakerStore } from '#ports/breaker-store';
import { UsageError } from './cli-error.ts';
import type { Connection } from './connection.ts';
import { printJson, printLines } from './io.ts';
import type { Io } from './io.ts';
import { loadAll, pick, pickConsumer } from './load.ts';
import { withConnection } from './options.ts';
import type { CloudOptions } from './options.ts';
import { breakerJson, breakerLines } from './render/breaker.ts';
import { isoOrNull } from './render/text.ts';

export interface BreakerOptions extends CloudOptions {
  readonly consumer?: string;
  readonly json?: boolean;
}

export interface CloseOptions extends BreakerOptions {
  readonly letPass?: string;
}

const MS_PER_HOUR = 3_600_000;
/** Longer than a week, records have left the stream. */
const HOURS_MAX = 168;

export function breakerStore({ dynamodb }: Connection, stage: string): BreakerStore {
  return dynamoBreakerStore(dynamodb, { tableName: stageNames(stage).stateTable });
}

export async function showBreakers(name: string, options: BreakerOptions, io: Io): Promise<void> {
  const { stage, json } = options;
  const pipeline = pick(await loadAll(stage), name);
  const marks = await withConnection(options, io, (connection) =>
    Promise.all(
      consumersOf(pipeline, options.consumer).map(async (consumer) => ({
        consumer,
        mark: await breakerStore(connection, stage).read({ pipeline: name, consumer }),
      })),
    ),
  );
  if (json) printJson(io, breakerJson({ pipeline: name, stage }, marks));
  else printLines(io, breakerLines(name, marks, Date.now()));
}

export async function closeBreakers(name: string, options: CloseOptions, io: Io): Promise<void> {
  const { stage, json } = options;
  const letUntilMs = letUntil(options.letPass, Date.now());
  const pipeline = pick(await loadAll(stage), name);
  const consumers = consumersOf(pipeline, options.consumer);
  const closed = await withConnection(options, io, (connection) =>
    Promise.all(
      consumers.map(async (consumer) => ({
        consumer,
        wasOpen: await breakerStore(connection, stage).close(
          { pipeline: name, consumer },
          { letUntilMs },
        ),
      })),
    ),
  );
  if (json) {
    printJson(io, {
      pipeline: name,
      stage,
      letUntil: isoOrNull(letUntilMs || null),
      consumers: closed,
    });
    return;
  }
  const lines = closed.map(({ consumer, wasOpen }) =>
    wasOpen ? `${consumer}: closed; its shards go on.` : `${consumer}: was not open.`,
  );
  printLines(io, [...lines, nextLine(letUntilMs)]);
}

function nextLine(letUntilMs: number): string {
  return letUntilMs === 0
    ? 'What is refused is counted anew: as large a share stops it again.'
    : `Until ${new Date(letUntilMs).toISOString()} whatever is refused goes to quarantine, however much.`;
}

/** @throws {UsageError} when it is no number of hours. */
function letUntil(hours: string | undefined, nowMs: number): number {
  if (hours === undefined) return 0;
  const value = Number(hours);
  if (!(value > 0 && value <= HOURS_MAX)) {
    throw new UsageError(
      `--let-pass takes a number of hours above 0, at most ${HOURS_MAX}, not '${hours}'.`,
    );
  }
  return nowMs + Math.round(value * MS_PER_HOUR);
}

function consumersOf(pipeline: PipelineSettings, only?: string): readonly string[] {
  if (only !== undefined) return [pickConsumer(pipeline, only).name];
  return pipeline.consumers.map((consumer) => consumer.name);
}
