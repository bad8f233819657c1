/** penstock preview: records of a source as they would be published. */
import type { Command } from 'commander';
import { countingNumber } from '#cli/io';
import type { Io } from '#cli/io';
import { loadOne } from '#cli/load';
import { withExample, withJson, withPipelines, withStage } from '#cli/options';

interface PreviewOptions {
  readonly stage: string;
  readonly directory: string;
  readonly number: string;
  readonly json?: boolean;
}

export function addPreview(program: Command, io: Io, fail: () => void): void {
  const command = program
    .command('preview')
    .summary('show records as they would be published')
    .description(
      'Ask the source itself for the first pages and show each record as it would be published: ' +
        'key, shard, version, size; or why it would be refused. Nothing is written, and no cloud ' +
        'is needed. Settings and secrets are read from variables, as penstock up reads them.',
    )
    .argument('<pipeline>')
    .option('-n, --number <count>', 'how many records', '20')
    .action(async (name: string, options: PreviewOptions) => {
      const count = countingNumber(options.number, '--number');
      const pipeline = await loadOne(name, options);
      const { preview } = await import('#cli/preview/preview');
      await preview(pipeline, { count, json: options.json }, { io, fail });
    });
  withExample(
    withJson(withStage(withPipelines(command))),
    'ORDERS_API_URL=https://… ORDERS_API_TOKEN=… penstock preview orders -n 5',
  );
}
