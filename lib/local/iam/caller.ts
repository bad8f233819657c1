/** Someone who acts as a role: every call is decided, and remembered by what decided it. */
import { ACCOUNT_ID, PARTITION } from '#local/template/arns';
import { decide } from './decide.ts';
import type { Call } from './decide.ts';
import { refusalMessage } from './refusal.ts';
import type { Refusal } from './refusal.ts';
import type { Role } from './roles.ts';

/** Calls that one grant of a policy allowed. */
export interface AllowedCalls {
  readonly action: string;
  /** The policy's name, and the statement's place in it. */
  readonly statement: string;
  /** Action and resource as the statement writes them. */
  readonly grant: { readonly action: string; readonly resource: string };
  /** The first of them. */
  readonly example: Call;
  readonly times: number;
}

export interface RefusedCalls extends Refusal {
  readonly times: number;
}

/** What someone did so far. Of many calls alike, one is kept, and how many they were. */
export interface CallsOfCaller {
  /** `function penstock-dev-orders-poll`, `Lambda for …`, `schedule …` */
  readonly caller: string;
  readonly role: string;
  readonly allowed: readonly AllowedCalls[];
  /** By action; of each, the first. */
  readonly refused: readonly RefusedCalls[];
}

export interface RefusedCall extends RefusedCalls {
  readonly caller: string;
}

export interface Caller {
  /** Decide a call. Undefined: it is allowed. */
  refusal(call: Call): Refusal | undefined;
  calls(): CallsOfCaller;
}

/** @param session the last part of the caller's ARN. */
export function createCaller(
  { name, role, session }: { readonly name: string; readonly role: Role; readonly session: string },
  onRefused: (refused: RefusedCall) => void,
): Caller {
  const userArn = `arn:${PARTITION}:sts::${ACCOUNT_ID}:assumed-role/${role.name}/${session}`;
  const allowed = new Map<string, AllowedCalls>();
  const refused = new Map<string, RefusedCalls>();
  return {
    refusal(call) {
      const { action, resource } = call;
      const decision = decide(role.statements, call);
      if (decision.kind === 'allowed') {
        const { place: statement, grant } = decision;
        const key = `${action} ${statement} ${grant.action} ${grant.resource}`;
        const { times, example } = allowed.get(key) ?? { times: 0, example: call };
        const pair = { action: grant.action, resource: grant.resource };
        allowed.set(key, { action, statement, grant: pair, example, times: times + 1 });
        return undefined;
      }
      const message = refusalMessage(call, { userArn, isExplicit: decision.isExplicit });
      const refusal = { action, resource, message };
      const times = (refused.get(action)?.times ?? 0) + 1;
      refused.set(action, { ...refusal, ...refused.get(action), times });
      onRefused({ caller: name, ...refusal, times });
      return refusal;
    },
    calls: () => ({
      caller: name,
      role: role.arn,
      allowed: [...allowed.values()],
      refused: [...refused.values()],
    }),
  };
}
