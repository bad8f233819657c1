/** Why a record can never succeed, however often it is tried. */
export type RefusalReason =
  | 'not-json'
  | 'not-an-object'
  | 'not-an-event'
  | 'no-key'
  | 'key-too-long'
  | 'no-version'
  | 'no-event-time'
  | 'no-partition-key'
  | 'record-too-large'
  | 'item-too-large'
  | 'number-out-of-range'
  | 'nested-too-deep'
  | 'field-name-not-allowed'
  | 'table-refused'
  | 'map-failed'
  | 'handler-refused';

export interface Refusal {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
  /** One sentence that names the field; never holds a secret. */
  readonly detail: string;
}

export function refusal(reason: RefusalReason, detail: string): Refusal {
  return { kind: 'refused', reason, detail };
}
