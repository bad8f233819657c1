/** Options that several commands share. */
import type { Command } from 'commander';
import { connect, LOCAL_ENDPOINT } from './connection.ts';
import type { Connection } from './connection.ts';
import type { Io } from './io.ts';

export interface CloudOptions {
  readonly endpoint?: string;
  readonly stage: string;
}

export function withStage(command: Command): Command {
  return command.option('--stage <stage>', 'which deployment of the pipelines', 'dev');
}

/** Adds `--endpoint` and `--stage`. */
export function withCloud(command: Command): Command {
  const otherwise = `(default: AWS_ENDPOINT_URL, else ${LOCAL_ENDPOINT})`;
  const what = `address of the cloud, or 'aws' for AWS itself ${otherwise}`;
  return withStage(command.option('--endpoint <url>', what));
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
  { endpoint }: CloudOptions,
  io: Io,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const chosen = endpoint ?? (io.env['AWS_ENDPOINT_URL'] || LOCAL_ENDPOINT);
  const connection = connect(chosen, io.env);
  try {
    return await use(connection);
  } finally {
    connection.close();
  }
}
