/** penstock doctor: what is wrong with a source, or with what its file says of it. */
import type { Command } from 'commander';
import { countingNumber } from '#cli/io';
import type { Io } from '#cli/io';
import { loadOne } from '#cli/load';
import { withExample, withJson, withPipelines, withStage } from '#cli/options';

interface DoctorOptions {
  readonly stage: string;
  readonly directory: string;
  readonly pages: string;
  readonly json?: boolean;
}

export function addDoctor(program: Command, io: Io, fail: () => void): void {
  const command = program
    .command('doctor')
    .summary('say what is wrong with a source')
    .description(
      'Ask the source itself, from its beginning and from a boundary, and say what of it is not as ' +
        'the pipeline file has it: each in one sentence, with the field to change. Nothing is ' +
        'written, and no cloud is needed. Exits with 1 unless all there is are notes.',
    )
    .argument('<pipeline>')
    .option('--pages <count>', 'how many pages of each run', '3')
    .action(async (name: string, options: DoctorOptions) => {
      const pagesMax = countingNumber(options.pages, '--pages');
      const pipeline = await loadOne(name, options);
      const { doctor } = await import('#cli/doctor/doctor');
      await doctor(pipeline, { pagesMax, json: options.json }, { io, fail });
    });
  withExample(
    withJson(withStage(withPipelines(command))),
    'ORDERS_API_URL=https://… ORDERS_API_TOKEN=… penstock doctor orders',
  );
}
