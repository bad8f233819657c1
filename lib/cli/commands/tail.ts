/** penstock tail: records of a stream, decoded. */
import type { Command } from 'commander';
import { countingNumber } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick } from '#cli/load';
import { withCloud, withConnection, withExample, withJson } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { parseReadFrom } from '#cli/read-from';
import { tailJson, tailLine } from '#cli/render/tail';
import { pipelineNames } from '#config/resource-names';

interface TailOptions extends CloudOptions {
  readonly from: string;
  readonly key?: string;
  readonly shard?: string;
  readonly number?: string;
  readonly json?: boolean;
}

export function addTail(program: Command, io: Io): void {
  const command = program
    .command('tail')
    .summary('print records of a stream')
    .description('Print the records of a pipeline’s stream from a place on, shard by shard.')
    .argument('<pipeline>')
    .option(
      '--from <place>',
      'oldest, now (and follow), a span such as 15m, an ISO 8601 time, or a sequence number',
      'oldest',
    )
    .option('--key <partition key>', 'only records of this partition key')
    .option('--shard <id>', 'only this shard: its id, or the number at the end of it')
    .option('-n, --number <count>', 'stop after so many records')
    .action((pipeline: string, options: TailOptions) => tail(pipeline, options, io));
  withExample(
    withJson(withCloud(command), 'print one JSON object a line'),
    'penstock tail orders --from 15m -n 20',
    'penstock tail orders --from now --key ord-000123',
  );
}

async function tail(name: string, options: TailOptions, io: Io): Promise<void> {
  const { stage, number, key, shard } = options;
  const from = parseReadFrom(options.from, Date.now());
  const countMax = number === undefined ? Infinity : countingNumber(number, '--number');
  pick(await loadAll(stage), name);
  const { stream } = pipelineNames(stage, name);
  const render = options.json ? tailJson : tailLine;
  const { recordsFrom } = await import('#cli/records-from');
  let printed = 0;
  await withConnection(options, io, async (connection) => {
    for await (const record of recordsFrom(connection, { stream, from, key, shard })) {
      io.out(`${render(record)}\n`);
      printed += 1;
      if (printed >= countMax) return;
    }
  });
  if (printed > 0) return;
  const whose = key === undefined ? '' : ` of the key '${key}'`;
  io.err(`No record${whose} is in the stream ${stream} from ${options.from} on.\n`);
}
