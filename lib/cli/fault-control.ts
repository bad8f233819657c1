/** Speaks to the control endpoint of a local cloud's faults. */
import { FaultError, parseFault, ruleOf } from '#local/faults/parse-fault';
import type { PlannedFault } from '#local/faults/fault-book';
import { endpointOf } from './choose-cloud.ts';
import { CliError, UsageError } from './cli-error.ts';
import { printJson, printLines } from './io.ts';
import type { Io } from './io.ts';
import { renderFaults } from './render/fault.ts';

export interface FaultOptions {
  readonly cloud: string;
  readonly json?: boolean;
}

interface Ask {
  readonly options: FaultOptions;
  readonly io: Io;
}

const PATH = '/_penstock/faults';
const TIMEOUT_MS = 10_000;

export async function addFaultTo(
  kind: string,
  members: readonly string[],
  { options, io }: Ask,
): Promise<void> {
  const fault = parsed({ kind, ...Object.fromEntries(members.map((text) => pairOf(kind, text))) });
  const answer = (await asked({ options, io }, 'POST', '', fault)) as { readonly id: string };
  if (options.json) printJson(io, answer);
  else printLines(io, [`${answer.id} is added: \`penstock fault clear ${answer.id}\` removes it.`]);
}

export async function listFaultsOf(ask: Ask): Promise<void> {
  const faults = (await asked(ask, 'GET', '')) as readonly PlannedFault[];
  if (ask.options.json) printJson(ask.io, faults);
  else printLines(ask.io, renderFaults(faults));
}

export async function clearFaultsOf(id: string | undefined, ask: Ask): Promise<void> {
  await asked(ask, 'DELETE', id === undefined ? '' : `/${encodeURIComponent(id)}`);
}

/** `name=value`; a number where the kind has one. */
function pairOf(kind: string, text: string): readonly [string, unknown] {
  const mark = text.indexOf('=');
  if (mark < 1) throw new UsageError(`'${text}' must be name=value, as share=0.3.`);
  const [name, value] = [text.slice(0, mark), text.slice(mark + 1)];
  const isNumber = ruleOf(kind, name)?.isNumber === true && value.trim() !== '';
  return [name, isNumber && Number.isFinite(Number(value)) ? Number(value) : value];
}

function parsed(value: object): object {
  try {
    return parseFault(value);
  } catch (error) {
    throw error instanceof FaultError ? new UsageError(error.message) : error;
  }
}

async function asked(
  { options: { cloud }, io }: Ask,
  method: string,
  below: string,
  body?: object,
): Promise<unknown> {
  const endpoint = cloud === 'localstack' ? undefined : endpointOf(cloud, io.env);
  if (endpoint === undefined) {
    throw new UsageError(`Faults are made in a local cloud: --cloud must be local or an address.`);
  }
  const response = await fetch(endpoint + PATH + below, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return text === '' ? undefined : JSON.parse(text);
  throw new CliError(messageIn(text) ?? `${endpoint} is no local cloud of Penstock.`);
}

function messageIn(text: string): string | undefined {
  try {
    const answer = JSON.parse(text) as { readonly message?: unknown };
    return typeof answer.message === 'string' ? answer.message : undefined;
  } catch {
    return undefined;
  }
}
