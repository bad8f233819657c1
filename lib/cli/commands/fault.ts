/** penstock fault: what is to go wrong in a local cloud that runs. */
import type { Command } from 'commander';
import { LOCAL_ENDPOINT } from '#cli/choose-cloud';
import type { FaultOptions } from '#cli/fault-control';
import type { Io } from '#cli/io';
import { withExample, withJson } from '#cli/options';

export function addFault(program: Command, io: Io): void {
  const command = program
    .command('fault')
    .summary('let something go wrong in a local cloud')
    .description(
      'Faults on purpose, in a local cloud that runs. docs/reference/faults.md has all kinds.',
    )
    .helpCommand(false);
  withExample(command, 'penstock fault add throttle-entries share=0.3 times=40');

  const add = command
    .command('add')
    .description(
      'Add a fault: its kind, where it strikes (any, unless said) and when, each as name=value.',
    )
    .argument('<kind>', 'kill-function, lose-tick, cut-after …')
    .argument('[member...]', 'stream=, table=, function=, share=, times=, afterMs=, forMs= …')
    .action(async (kind: string, members: readonly string[], options: FaultOptions) => {
      const { addFaultTo } = await import('#cli/fault-control');
      await addFaultTo(kind, members, { options, io });
    });
  withExample(
    withJson(withLocalCloud(add)),
    'penstock fault add kill-function function=penstock-dev-orders-consume intoMs=50 times=3',
    'penstock fault add delay service=dynamodb operation=UpdateItem delayMs=800 forMs=60000',
  );

  const list = command
    .command('list')
    .description('Show the faults, and how often each struck.')
    .action(async (options: FaultOptions) => {
      const { listFaultsOf } = await import('#cli/fault-control');
      await listFaultsOf({ options, io });
    });
  withExample(withJson(withLocalCloud(list)), 'penstock fault list --json');

  const clear = command
    .command('clear')
    .description('Remove one fault, or all of them.')
    .argument('[id]', 'as `penstock fault list` shows it; all, unless given')
    .action(async (id: string | undefined, options: FaultOptions) => {
      const { clearFaultsOf } = await import('#cli/fault-control');
      await clearFaultsOf(id, { options, io });
    });
  withExample(withLocalCloud(clear), 'penstock fault clear', 'penstock fault clear f2');
}

function withLocalCloud(command: Command): Command {
  const local = `local (AWS_ENDPOINT_URL, else ${LOCAL_ENDPOINT})`;
  return command.option('--cloud <cloud>', `${local}, or a local cloud’s address`, 'local');
}
