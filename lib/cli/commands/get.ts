/** penstock get: one item of a pipeline's table. */
import type { Command } from 'commander';
import { CliError, UsageError } from '#cli/cli-error';
import { printLines } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick, pickTable } from '#cli/load';
import { withCloud, withConnection, withExample, withJson } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { itemJson, itemLines } from '#cli/render/item';
import type { PipelineSettings } from '#config/pipeline-settings';
import { keyNames } from '#config/record-key';
import { consumerNames } from '#config/resource-names';

interface GetOptions extends CloudOptions {
  readonly consumer?: string;
  readonly json?: boolean;
}

export function addGet(program: Command, io: Io): void {
  const command = program
    .command('get')
    .summary('print one item of a table')
    .description('Print the item of a key, every number with all its digits.')
    .argument('<pipeline>')
    .argument('<key...>', 'the key; of two parts both, as they stand in the record')
    .option('--consumer <name>', 'whose table (default: the first there is)')
    .action((pipeline: string, key: readonly string[], options: GetOptions) =>
      get({ pipeline, key }, options, io),
    );
  withExample(
    withJson(withCloud(command)),
    'penstock get orders ord-000123',
    'penstock get invoices acme 2031-0007',
  );
}

async function get(
  asked: { readonly pipeline: string; readonly key: readonly string[] },
  options: GetOptions,
  io: Io,
): Promise<void> {
  const { stage, json } = options;
  const pipeline = pick(await loadAll(stage), asked.pipeline);
  const consumer = pickTable(pipeline, options.consumer);
  const { table } = consumerNames(stage, pipeline.name, consumer.name);
  const key = namedKey(pipeline, asked.key);
  const { getOne } = await import('#cli/table-reader');
  const item = await withConnection(options, io, ({ dynamodb }) =>
    getOne(dynamodb, { table, key }),
  );
  if (item === undefined)
    throw new CliError(`The table ${table} holds no '${asked.key.join(' ')}'.`);
  printLines(io, json ? [itemJson(item)] : itemLines(item));
}

/** @throws {UsageError} unless there are as many parts as the key has. */
function namedKey(
  { name, record }: PipelineSettings,
  parts: readonly string[],
): Readonly<Record<string, string>> {
  const names = keyNames(record.key);
  if (parts.length !== names.length) {
    const wanted = names.map((one) => `<${one}>`).join(' ');
    throw new UsageError(`A key of ${name} is ${names.join(' and ')}: get ${name} ${wanted}.`);
  }
  return Object.fromEntries(names.map((one, at) => [one, parts[at] ?? '']));
}
