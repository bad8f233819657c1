/** penstock get: one item of a pipeline's table. */
import type { Command } from 'commander';
import { CliError } from '#cli/cli-error';
import { printLines } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick, pickConsumer } from '#cli/load';
import { withCloud, withConnection, withExample, withJson } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { itemJson, itemLines } from '#cli/render/item';
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
    .argument('<key>')
    .option('--consumer <name>', 'whose table (default: the first)')
    .action((pipeline: string, key: string, options: GetOptions) =>
      get({ pipeline, key }, options, io),
    );
  withExample(withJson(withCloud(command)), 'penstock get orders ord-000123');
}

async function get(
  asked: { readonly pipeline: string; readonly key: string },
  options: GetOptions,
  io: Io,
): Promise<void> {
  const { stage, json } = options;
  const pipeline = pick(await loadAll(stage), asked.pipeline);
  const consumer =
    options.consumer === undefined
      ? pipeline.consumers[0]
      : pickConsumer(pipeline, options.consumer);
  if (consumer === undefined) throw new CliError(`${pipeline.name} has no consumer.`);
  const { table } = consumerNames(stage, pipeline.name, consumer.name);
  const keyName = pipeline.record.key.split('.').at(-1) ?? pipeline.record.key;
  const { getOne } = await import('#cli/table-reader');
  const item = await withConnection(options, io, ({ dynamodb }) =>
    getOne(dynamodb, { table, keyName, key: asked.key }),
  );
  if (item === undefined) throw new CliError(`The table ${table} holds no '${asked.key}'.`);
  printLines(io, json ? [itemJson(item)] : itemLines(item));
}
