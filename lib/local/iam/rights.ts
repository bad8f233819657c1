/** Who acts in the cloud, as which role, and whether that role allows what they do. */
import type { NewId, ObjectStore, QueueStore } from '#local/contracts';
import { hexDigits, RANDOM_ID } from '#local/new-id';
import type { PlannedResource } from '#local/template/plan-resources';
import { TemplateError } from '#local/template/template-error';
import { readActors } from './actors.ts';
import type { Actors } from './actors.ts';
import { createCaller } from './caller.ts';
import type { Caller, CallsOfCaller, RefusedCall } from './caller.ts';
import { createGate } from './gate.ts';
import type { Gate } from './gate.ts';
import { mappingRefusal, refuseUnreadable } from './mapping-rights.ts';
import { keepFailureCalls, tellQueueCall } from './path-calls.ts';
import { readFacts } from './resource-facts.ts';
import type { ResourceFacts } from './resource-facts.ts';
import { readRoles } from './roles.ts';

export interface Rights {
  /** Stands before the cloud's port. */
  readonly gate: Gate;
  /** What a function's process signs with. */
  credentialsOf(functionName: string): Readonly<Record<string, string>>;
  /** False: a line that the function writes is not kept. */
  mayLog(functionName: string): boolean;
  /** False: a schedule's tick is dropped, as its role may not call the function. */
  mayTick(schedule: string): boolean;
  /** Buckets as Lambda writes to them with a function's role; `put` throws when it is refused. */
  objectsAs(functionName: string, objects: ObjectStore): ObjectStore;
  /** Why a function's role may not read a stream, in a sentence; undefined: it may. */
  mappingRefusal(functionName: string, streamArn: string): string | undefined;
  /** And queues. */
  queuesAs(functionName: string, queues: QueueStore): QueueStore;
  calls(): readonly CallsOfCaller[];
}

/**
 * Read all roles, and who acts as them.
 *
 * @param onRefused hears of each call that is refused.
 * @throws {TemplateError} with everything of the policies that cannot be decided here, every role
 *   that is in no template, and every mapping that may not read its stream.
 */
export function createRights(
  planned: readonly PlannedResource[],
  onRefused: (refused: RefusedCall) => void = () => undefined,
  newId: NewId = RANDOM_ID,
): Rights {
  const problems = new Set<string>();
  const report = (problem: string): void => void problems.add(problem);
  const roles = readRoles(planned, report);
  const facts = readFacts(planned, report);
  const callers: Caller[] = [];
  const actors = readActors(planned, (name, resource, roleArn) => {
    const role = roles.get(String(roleArn));
    if (role === undefined) {
      const { logicalId, type, stack } = resource;
      const where = `${logicalId} (${type}) in ${stack}`;
      report(`${where}: its role ${String(roleArn)} is in no template: what it allows is unknown.`);
      return undefined;
    }
    const caller = createCaller({ name, role, session: resource.name }, onRefused);
    callers.push(caller);
    return caller;
  });
  refuseUnreadable(planned, { functions: actors.functions, facts, report });
  if (problems.size > 0) throw new TemplateError([...problems]);
  // A rule acts as nobody: its function says that it may call.
  const rules = new Set(
    planned.filter(({ type }) => type === 'AWS::Events::Rule').map(({ name }) => name),
  );
  const calls = (): readonly CallsOfCaller[] => callers.map((caller) => caller.calls());
  return rightsOf(actors, facts, { calls, newId, rules });
}

function rightsOf(
  { functions, schedules }: Actors,
  facts: ResourceFacts,
  {
    calls,
    newId,
    rules,
  }: {
    readonly calls: Rights['calls'];
    readonly newId: NewId;
    readonly rules: ReadonlySet<string>;
  },
): Rights {
  const keys = new Map([...functions.keys()].map((name) => [name, newAccessKey(newId)]));
  const holders = new Map(
    [...functions].map(([name, { process }]) => [keys.get(name) ?? '', process]),
  );
  return {
    gate: createGate((accessKey) => holders.get(accessKey), facts, newId),
    credentialsOf: (functionName) => ({
      AWS_ACCESS_KEY_ID: keys.get(functionName) ?? '',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
    }),
    mayLog(functionName) {
      const actor = functions.get(functionName);
      return actor?.logCalls.every((call) => actor.lambda.refusal(call) === undefined) ?? false;
    },
    mayTick(schedule) {
      if (rules.has(schedule.split('/')[0] ?? '')) return true;
      const actor = schedules.get(schedule);
      return actor !== undefined && actor.caller.refusal(actor.tickCall) === undefined;
    },
    objectsAs: (functionName, objects) => ({
      ...objects,
      put(bucket, key, body) {
        for (const call of keepFailureCalls(bucket, key)) {
          const refusal = functions.get(functionName)?.lambda.refusal(call);
          if (refusal !== undefined) throw new Error(refusal.message);
        }
        objects.put(bucket, key, body);
      },
    }),
    mappingRefusal: (functionName, streamArn) =>
      mappingRefusal(functionName, streamArn, { functions, facts }),
    queuesAs: (functionName, queues) => ({
      send(queueArn, ...message) {
        const refusal = functions.get(functionName)?.lambda.refusal(tellQueueCall(queueArn));
        if (refusal !== undefined) throw new Error(refusal.message);
        queues.send(queueArn, ...message);
      },
    }),
    calls,
  };
}

/** As AWS's temporary ones begin, and are long. */
function newAccessKey(newId: NewId): string {
  return `ASIA${hexDigits(newId, 16).toUpperCase()}`;
}
