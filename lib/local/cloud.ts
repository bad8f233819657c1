/** A small cloud on one machine: what cdk.out describes, running, behind one port of loopback. */
import type { AlarmStatus } from './alarms/alarms.ts';
import type { CloudOptions } from './cloud-options.ts';
import { createCloudParts, resourceMakers } from './cloud-parts.ts';
import type { CloudParts } from './cloud-parts.ts';
import { openCloudPort } from './cloud-port.ts';
import { openCloudStorage } from './cloud-storage.ts';
import type { InvokeResult } from './contracts.ts';
import { deployResources } from './deploy-resources.ts';
import type { CallsOfCaller } from './iam/caller.ts';
import { createRights } from './iam/rights.ts';
import { REGION } from './template/arns.ts';
import { readAssembly } from './template/assembly.ts';
import { planResources } from './template/plan-resources.ts';
import type { PlannedResource } from './template/plan-resources.ts';
import type { Wire } from './wire.ts';

export interface Cloud {
  /** What AWS_ENDPOINT_URL must be. */
  readonly endpoint: string;
  readonly region: string;
  /** Physical names by CloudFormation type, inert ones left out. */
  readonly resources: ResourceNames;
  invoke(functionName: string, payload: string): Promise<InvokeResult>;
  /** True when no function runs, and every mapping has finished what was written. */
  isIdle(): boolean;
  /** Every alarm of the templates, as it stands. */
  alarms(): readonly AlarmStatus[];
  /** What everyone who acts as a role did so far, and what allowed or refused it. */
  calls(): readonly CallsOfCaller[];
  /**
   * Ends everything: no schedule ticks, what runs is waited for (at most `graceMs`; default: the
   * functions' own timeouts), no process or port is left. What was written is in the keep folder,
   * if there is one.
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
  const planned = planResources(readAssembly(options.cdkOut), options.parameters);
  const resources = namesByType(planned);
  const rights = createRights(planned, (refused) =>
    options.onEvent?.({ kind: 'call-refused', ...refused }),
  );
  const { storage, close } = openCloudStorage(options.keepDir);
  let wire: Wire | undefined;
  let parts: CloudParts | undefined;
  const end = async (graceMs?: number): Promise<void> => {
    try {
      if (parts !== undefined) await drain(parts, graceMs);
    } finally {
      await wire?.close();
      close();
    }
  };
  try {
    parts = createCloudParts(options, { storage, endpoint: () => wire?.url ?? '', rights });
    wire = await openCloudPort(parts, resources, options);
    deployResources(planned, resourceMakers(parts));
    await options.beforeRunning?.(wire.url);
  } catch (error) {
    await end();
    throw error;
  }
  const { functions, mappings, scheduler, alarms } = parts;
  mappings.start();
  scheduler.start();
  alarms.start();
  let ending: Promise<void> | undefined;
  return {
    endpoint: wire.url,
    region: REGION,
    resources,
    invoke: functions.invoke,
    isIdle: () => mappings.isIdle() && functions.running() === 0,
    alarms: alarms.list,
    calls: rights.calls,
    stop: (graceMs) => (ending ??= end(graceMs)),
  };
}

/** Begins nothing more and waits for what runs; a batch that is cut short is read again next time. */
async function drain(parts: CloudParts, graceMs: number | undefined): Promise<void> {
  const { scheduler, events, mappings, functions, alarms } = parts;
  scheduler.stop();
  alarms.stop();
  await Promise.all([events.stop(), mappings.stop(), functions.stop(graceMs)]);
}

function namesByType(planned: readonly PlannedResource[]): ResourceNames {
  const names: Record<string, string[]> = {};
  for (const { type, name, inert } of planned) if (!inert) (names[type] ??= []).push(name);
  return names;
}
