/** penstock poll: one run of a pipeline's poller, now. */
import type { Command } from 'commander';
import { CliError } from '#cli/cli-error';
import { invokePoll } from '#cli/invoke-poll';
import { printJson, printLines } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick } from '#cli/load';
import { withCloud, withConnection, withExample, withJson } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { isFailure, renderOutcome } from '#cli/render/outcome';
import { pipelineNames } from '#config/resource-names';

interface PollOptions extends CloudOptions {
  readonly json?: boolean;
}

export function addPoll(program: Command, io: Io, fail: () => void): void {
  const command = program
    .command('poll')
    .summary('poll a source once, now')
    .description('Invoke a pipeline’s poll function once and print how it ended.')
    .argument('<pipeline>')
    .option('--once', 'one run; the schedule sees to all others', true)
    .action((pipeline: string, options: PollOptions) => poll(pipeline, options, { io, fail }));
  withExample(withJson(withCloud(command)), 'penstock poll orders --once');
}

async function poll(
  name: string,
  options: PollOptions,
  { io, fail }: { io: Io; fail: () => void },
): Promise<void> {
  const { stage, json } = options;
  pick(await loadAll(stage), name);
  const { pollFunction } = pipelineNames(stage, name);
  const answer = await withConnection(options, io, async (connection) =>
    invokePoll(await connection.signed('lambda'), pollFunction),
  );
  if (answer.status === 404) {
    throw new CliError(`The function ${pollFunction} is missing: is it deployed in this stage?`);
  }
  if (answer.status === 429) {
    throw new CliError(
      `A poll of ${name} is at work already: wait for it, or read along with \`penstock logs ${name} --follow\`.`,
    );
  }
  if (answer.status !== 200) throw new CliError(`${pollFunction} was not run: ${answer.text}`);
  const outcome: unknown = JSON.parse(answer.text);
  if (answer.crashed || isFailure(outcome)) fail();
  if (json) printJson(io, outcome);
  else printLines(io, [renderOutcome(name, outcome)]);
}
