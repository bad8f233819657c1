/** A small cloud on one machine: what a template describes, running, behind one port of loopback. */
import type { AlarmStatus } from './alarms/alarms.ts';
import type { CloudOptions } from './cloud-options.ts';
import { createCloudParts, resourceMakers } from './cloud-parts.ts';
import type { CloudParts } from './cloud-parts.ts';
import { openCloudPort } from './cloud-port.ts';
import type { CloudPort } from './cloud-port.ts';
import { openCloudStorage } from './cloud-storage.ts';
import type { InvokeResult } from './contracts.ts';
import { deployResources } from './deploy-resources.ts';
import { cloudFaults } from './faults/cloud-faults.ts';
import type { PlannedFaults } from './faults/plan-faults.ts';
import { reshardNow } from './faults/reshard-now.ts';
import type { CallsOfCaller } from './iam/caller.ts';
import { createRights } from './iam/rights.ts';
import { clientOptions } from './kit/client-options.ts';
import type { ClientOptions } from './kit/client-options.ts';
import { cloudSeed } from './kit/cloud-seed.ts';
import type { CloudSeed } from './kit/cloud-seed.ts';
import { cloudSteps } from './kit/cloud-steps.ts';
import type { CloudSteps } from './kit/cloud-steps.ts';
import { isStepped } from './kit/stepped-clock.ts';
import type { Router } from './router.ts';
import { SYSTEM_CLOCK } from './system-clock.ts';
import { REGION } from './template/arns.ts';
import { handlersByName } from './template/handler-key.ts';
import { planResources } from './template/plan-resources.ts';
import type { PlannedResource } from './template/plan-resources.ts';
import { stacksOf } from './template/stacks-of.ts';

export interface Cloud extends CloudSteps, ClientOptions {
  /** Physical names by CloudFormation type, inert ones left out. */
  readonly resources: ResourceNames;
  /** What goes wrong: to be listed, added to and cleared while the cloud runs. */
  readonly faults: Pick<PlannedFaults, 'add' | 'clear' | 'list' | 'remove'>;
  /** @param payload JSON text. */
  invoke(functionName: string, payload: string): Promise<InvokeResult>;
  /** Every alarm of the templates, as it stands. */
  alarms(): readonly AlarmStatus[];
  /** What everyone who acts as a role did so far, and what allowed or refused it. */
  calls(): readonly CallsOfCaller[];
  /**
   * Ends everything: no schedule ticks, what runs is waited for (at most `graceMs`; default: the
   * functions' own timeouts, and by a stepped clock not at all), no process or port is left. What
   * was written is in the keep folder, if there is one.
   */
  stop(graceMs?: number): Promise<void>;
}

export type ResourceNames = Readonly<Record<string, readonly string[]>>;

/**
 * Make every resource of the synthesized app, and set it going.
 *
 * @throws {TemplateError} saying everything of the app that cannot be run here.
 * @throws {Error} in one sentence, when the port or the keep folder is taken.
 */
export async function startCloud(options: CloudOptions): Promise<Cloud> {
  const { clock = SYSTEM_CLOCK, onEvent = () => undefined } = options;
  const seed = cloudSeed(options.seed, options.chance);
  const { planned, handlers, resources, rights } = planCloud(options, seed);
  const faults = cloudFaults(options.faults ?? [], {
    chance: seed.faults,
    clock,
    onEvent,
    async strike(fault) {
      const streams = resources['AWS::Kinesis::Stream'] ?? [];
      if (parts !== undefined) await reshardNow(fault, { kinesis: parts.kinesis, streams });
    },
  });
  const { storage, close } = openCloudStorage(options.keepDir);
  let port: CloudPort | undefined;
  let parts: CloudParts | undefined;
  let ending: Promise<void> | undefined;
  const end = async (graceMs?: number): Promise<void> => {
    try {
      faults.planned.clear();
      // By a clock that stands still, nothing that runs would end.
      if (parts !== undefined) await drain(parts, graceMs ?? (isStepped(clock) ? 0 : undefined));
    } finally {
      await port?.close();
      close();
    }
  };
  try {
    const endpoint = (): string => port?.url ?? '';
    const route: Router = async (request) => port?.route(request) ?? { kind: 'unanswered' };
    const surroundings = { storage, rights, faults, seed, endpoint, route };
    parts = createCloudParts({ ...options, handlers }, surroundings);
    port = await openCloudPort(parts, resources, { ...options, faults, seed });
    deployResources(planned, resourceMakers(parts));
    await options.beforeRunning?.(port.url);
  } catch (error) {
    await end();
    throw error;
  }
  begin(parts);
  faults.begin();
  return {
    ...cloudSteps(clock, parts),
    ...clientOptions({ endpoint: port.url, region: REGION, route: port.route }),
    resources,
    faults: faults.planned,
    invoke: parts.functions.invoke,
    alarms: parts.alarms.list,
    calls: rights.calls,
    stop: (graceMs) => (ending ??= end(graceMs)),
  };
}

/** What is known of the app before anything of it is made. */
function planCloud(options: CloudOptions, { newId }: CloudSeed) {
  const given = options.handlers ?? {};
  const planned = planResources(stacksOf(options), options.parameters ?? {}, Object.keys(given));
  return {
    planned,
    handlers: handlersByName(given, planned),
    resources: namesByType(planned),
    rights: createRights(
      planned,
      (refused) => options.onEvent?.({ kind: 'call-refused', ...refused }),
      newId,
    ),
  };
}

function begin({ mappings, scheduler, alarms }: CloudParts): void {
  mappings.start();
  scheduler.start();
  alarms.start();
}

/** Begins nothing more and waits for what runs; a batch that is cut short is read again next time. */
async function drain(parts: CloudParts, graceMs: number | undefined): Promise<void> {
  const { scheduler, events, mappings, functions, alarms, queues } = parts;
  scheduler.stop();
  alarms.stop();
  queues.stop();
  try {
    await Promise.all([events.stop(), mappings.stop(), functions.stop(graceMs)]);
  } finally {
    parts.inProcess.end();
  }
}

function namesByType(planned: readonly PlannedResource[]): ResourceNames {
  const names: Record<string, string[]> = {};
  for (const { type, name, inert } of planned) if (!inert) (names[type] ??= []).push(name);
  return names;
}
