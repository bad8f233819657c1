/** Sends records of a pipeline's quarantine to one consumer again. */
import { rm } from 'node:fs/promises';
import { CliError, UsageError } from '#cli/cli-error';
import { EXIT } from '#cli/exit-codes';
import { printJson, printLines, countingNumber } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick, pickConsumer } from '#cli/load';
import { withConnection } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { filterOf } from '#cli/quarantine/filter-options';
import type { FilterOptions } from '#cli/quarantine/filter-options';
import { openQuarantine } from '#cli/quarantine/open-quarantine';
import { planJson, planLines, redriveLines } from '#cli/render/redrive';
import type { RedriveEnded } from '#cli/render/redrive';
import { plural } from '#cli/render/text';
import { consumerNames } from '#config/resource-names';
import type { RedriveCounts, Redriven } from '#pipeline/redrive';
import { chooseEntries } from './choose.ts';
import type { Chosen } from './choose.ts';
import { editPayloads } from './edit-payloads.ts';
import { runRedrive } from './run-redrive.ts';
import type { RedriveJob } from './run-redrive.ts';

export interface RedriveOptions extends CloudOptions, FilterOptions {
  readonly consumer: string;
  readonly id?: readonly string[];
  readonly all?: boolean;
  readonly dryRun?: boolean;
  readonly edit?: boolean;
  readonly rate: string;
  readonly json?: boolean;
}

interface Told {
  readonly io: Io;
  readonly fail: (code?: number) => void;
}

interface Where {
  readonly pipeline: string;
  readonly stage: string;
  readonly consumer: string;
  readonly keptDays: number;
}

export async function redriveQuarantined(
  name: string,
  options: RedriveOptions,
  told: Told,
): Promise<void> {
  const { stage, consumer, id: ids } = options;
  const recordsPerSec = countingNumber(options.rate, '--rate');
  requireChoice(options);
  const pipeline = pick(await loadAll(stage), name);
  const nowMs = Date.now();
  const filter = { ...filterOf(pipeline, options, nowMs), ids };
  const { keptDays } = pipeline.quarantine;
  await withConnection(options, told.io, async (connection) => {
    const bucket = await openQuarantine(connection, { stage, pipeline });
    const chosen = await chooseEntries(bucket, filter, { keptDays, nowMs });
    if (consumer === 'poll') throw new CliError(pollSentence(name, chosen));
    if (ids !== undefined && foundIn(chosen) === 0) {
      throw new UsageError(
        `Nothing that ${consumer} refused has that ID: \`penstock quarantine list ${name} --consumer ${consumer}\` shows them.`,
      );
    }
    const { batchSize } = pickConsumer(pipeline, consumer);
    const { function: functionName } = consumerNames(stage, name, consumer);
    const job = { connection, bucket, functionName, batchSize, recordsPerSec };
    if (chosen.documents > 0) told.io.err(`${documentsSentence(chosen.documents)}\n`);
    const where = { pipeline: name, stage, consumer, keptDays };
    if (options.dryRun) tellPlan(where, job, chosen, options, told.io);
    else await send(where, job, chosen, options, told);
  });
}

/** Nobody sends everything by leaving something out. */
function requireChoice({ reason, key, id, since, until, all }: RedriveOptions): void {
  if (all || [reason, key, id, since, until].some((one) => one !== undefined)) return;
  throw new UsageError(
    'Say which: --reason, --key, --id, --since or --until; or --all. --dry-run only shows them.',
  );
}

function tellPlan(
  { keptDays, ...where }: Where,
  { functionName }: RedriveJob,
  { sendable, placeless, expired }: Chosen,
  { json }: RedriveOptions,
  io: Io,
): void {
  const keysOf = (entries: Chosen['placeless']) => entries.map(({ key }) => key);
  const left = { unsendable: keysOf(placeless), expired: keysOf(expired) };
  if (json) printJson(io, { ...where, functionName, plan: planJson(sendable), ...left });
  else printLines(io, planLines(sendable, functionName, { expired: expired.length, keptDays }));
}

async function send(
  { keptDays, ...where }: Where,
  job: RedriveJob,
  chosen: Chosen,
  options: RedriveOptions,
  { io, fail }: Told,
): Promise<void> {
  const { sendable, placeless, expired } = chosen;
  const edited = options.edit ? await editPayloads(job.bucket, sendable, io) : undefined;
  const edits = edited?.payloads;
  // What was opened and left as it is would be refused as before.
  const entries = edits === undefined ? sendable : sendable.filter(({ key }) => edits.has(key));
  const sent = await runRedrive({ ...job, ...(edits && { edits }) }, entries, io);
  const result = withLeftOut(sent, chosen, sendable.length - entries.length);
  const { counts, unsendable, unchanged, stop, detail } = result;
  if (options.json) {
    const why = [...unsendable].map(([object, reason]) => ({ object, reason }));
    const told = { ...where, ...counts, unchanged, stop: stop ?? null, detail: detail ?? null };
    printJson(io, { ...told, whyUnsendable: why });
  } else printLines(io, redriveLines(result, { ...where, keptDays }));
  const isLeft = isAnyLeft(sent.counts);
  if (edited !== undefined) await keepOrRemove(edited.directory, { isLeft, io });
  if (stop === 'interrupted') fail(EXIT.interrupted);
  else if (isLeft || placeless.length + expired.length > 0) fail();
}

/** What was left unchanged stays by choice, and is none of these. */
function isAnyLeft({ refused, returned, unsendable }: RedriveCounts): boolean {
  return refused + returned + unsendable > 0;
}

function withLeftOut(
  { counts, ...sent }: Redriven,
  { placeless, expired }: Chosen,
  unchanged: number,
): RedriveEnded {
  const unsendable = new Map(sent.unsendable);
  for (const { key } of placeless) unsendable.set(key, 'its key names no place in the stream');
  const found = counts.found + placeless.length + expired.length;
  const all = { ...counts, found, unsendable: unsendable.size, expired: expired.length };
  return { ...sent, counts: all, unsendable, unchanged };
}

async function keepOrRemove(
  directory: string,
  { isLeft, io }: { readonly isLeft: boolean; readonly io: Io },
): Promise<void> {
  if (isLeft) io.err(`What you edited is in ${directory}.\n`);
  else await rm(directory, { recursive: true });
}

function documentsSentence(documents: number): string {
  const what = documents === 1 ? '1 given-up batch waits' : `${documents} given-up batches wait`;
  return `${what} beside them: its records are tried again within minutes, without a command.`;
}

function foundIn({ sendable, placeless, expired }: Chosen): number {
  return sendable.length + placeless.length + expired.length;
}

/** Nothing of it is in the stream, so that no consumer ever saw it. */
function pollSentence(pipeline: string, chosen: Chosen): string {
  const { fromDay } = chosen;
  const found = foundIn(chosen);
  if (fromDay === undefined) return `poll refused nothing of ${pipeline} that is meant.`;
  return (
    `poll refused ${plural(found, 'such record')} before publishing, so no consumer can be sent ` +
    `${found === 1 ? 'it' : 'them'}: mend pipelines/${pipeline}.ts or the source, deploy, and poll again with ` +
    `\`penstock cursor set ${pipeline} --at ${fromDay}T00:00:00Z\`.`
  );
}
