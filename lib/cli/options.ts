/** Options that several commands share. */
import { Option } from 'commander';
import type { Command } from 'commander';
import { LOCAL_ENDPOINT } from './choose-cloud.ts';
import type { Connection } from './connection.ts';
import type { Io } from './io.ts';
import { PIPELINES_DIRECTORY } from './project.ts';

export interface CloudOptions {
  readonly cloud: string;
  /** What `--cloud` was called before. */
  readonly endpoint?: string;
  readonly stage: string;
}

export function withStage(command: Command): Command {
  return command.option('--stage <stage>', 'which deployment of the pipelines', 'dev');
}

/** Adds `--cloud` and `--stage`. */
export function withCloud(command: Command): Command {
  const local = `local (AWS_ENDPOINT_URL, else ${LOCAL_ENDPOINT})`;
  return withStage(
    command
      .option(
        '--cloud <cloud>',
        `${local}, localstack, aws (profile and region as in the AWS CLI), or an address`,
        'local',
      )
      .addOption(new Option('--endpoint <url>').hideHelp()),
  );
}

/** Adds `--directory`: pipeline files that lie elsewhere. */
export function withPipelines(command: Command): Command {
  return command.addOption(
    new Option('--directory <path>', 'where the pipeline files are').default(
      PIPELINES_DIRECTORY,
      'pipelines/',
    ),
  );
}

export function withJson(command: Command, what = 'print JSON'): Command {
  return command.option('--json', what);
}

export function withExample(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText(
    'after',
    `\nExample:\n${lines.map((line) => `  $ ${line}\n`).join('')}`,
  );
}

/** Do something with a connection, and close it. */
export async function withConnection<T>(
  { cloud, endpoint = cloud }: CloudOptions,
  io: Io,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { connect } = await import('./connection.ts');
  const connection = connect(endpoint, io.env);
  try {
    return await use(connection);
  } finally {
    connection.close();
  }
}
