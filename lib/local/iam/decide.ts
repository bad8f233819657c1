/** Decides whether a role's policies allow a call. */
import { ACCOUNT_ID } from '#local/template/arns';
import type { RequestContext } from './condition.ts';
import type { Grant, Statement } from './policy.ts';

/** What a caller wants to do. */
export interface Call {
  /** `kinesis:PutRecords` */
  readonly action: string;
  /** An ARN, or `*` where the action is on no one resource. */
  readonly resource: string;
  /** Beside what is true of every call. */
  readonly context?: RequestContext;
}

export type Decision =
  | { readonly kind: 'allowed'; readonly place: string; readonly grant: Grant }
  | { readonly kind: 'denied'; readonly isExplicit: boolean };

/** Everything here is of one account. */
const OF_EVERY_CALL: RequestContext = {
  'aws:resourceaccount': [ACCOUNT_ID],
  's3:resourceaccount': [ACCOUNT_ID],
};

/** @source IAM User Guide, "Policy evaluation logic": a Deny wins, and nothing is allowed by itself. */
export function decide(statements: readonly Statement[], call: Call): Decision {
  const context = { ...OF_EVERY_CALL, ...call.context };
  let allowed: Decision | undefined;
  for (const { place, effect, grants, conditions } of statements) {
    const grant = grants.find(
      ({ isAction, isResource }) => isAction(call.action) && isResource(call.resource),
    );
    if (grant === undefined || !conditions.every((holds) => holds(context))) continue;
    if (effect === 'Deny') return { kind: 'denied', isExplicit: true };
    allowed ??= { kind: 'allowed', place, grant };
  }
  return allowed ?? { kind: 'denied', isExplicit: false };
}
