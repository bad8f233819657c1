/** An object of the quarantine, read back. */
import type { RecordEnd } from '#core/checkpoint/record-end';
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import { OBJECT_VERSION } from './quarantine-object.ts';

export interface KeptObject {
  readonly pipeline: string;
  readonly stage: string;
  readonly reason: string;
  readonly detail: string;
  readonly place: string;
  readonly atMs: number;
  readonly payload: Uint8Array;
  /** Undefined of what `poll` refused, and of what was kept before it was written down. */
  readonly origin: Omit<StoredRecord, 'data'> | undefined;
  readonly redriven: { readonly atMs: number; readonly end: RecordEnd } | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** @returns a sentence when it is of a form that is not known here. */
export function readKeptObject(body: Uint8Array): KeptObject | string {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body).toString());
  } catch {
    return 'it is no JSON';
  }
  if (!isMembers(value)) return 'it is no JSON object';
  if (value['v'] !== OBJECT_VERSION) {
    return `its form is version ${JSON.stringify(value['v'])}, and only ${OBJECT_VERSION} is known here`;
  }
  const payload = payloadOf(value);
  const atMs = Date.parse(textOf(value['at']));
  if (payload === undefined || Number.isNaN(atMs)) return 'it lacks its payload or its time';
  return {
    pipeline: textOf(value['pipeline']),
    stage: textOf(value['stage']),
    reason: textOf(value['reason']),
    detail: textOf(value['detail']),
    place: textOf(value['place']),
    atMs,
    payload,
    origin: originOf(value['origin']),
    redriven: redrivenOf(value['redriven']),
  };
}

function payloadOf({ payload, payloadBase64 }: Members): Uint8Array | undefined {
  if (typeof payload === 'string') return Buffer.from(payload);
  return typeof payloadBase64 === 'string' ? Buffer.from(payloadBase64, 'base64') : undefined;
}

function originOf(value: unknown): KeptObject['origin'] {
  if (!isMembers(value)) return undefined;
  const { shardId, sequenceNumber, partitionKey, arrivalTimeMs } = value;
  if (typeof arrivalTimeMs !== 'number') return undefined;
  return {
    shardId: textOf(shardId),
    sequenceNumber: textOf(sequenceNumber) as SequenceNumber,
    partitionKey: textOf(partitionKey),
    arrivalTimeMs,
  };
}

function redrivenOf(value: unknown): KeptObject['redriven'] {
  if (!isMembers(value)) return undefined;
  return { atMs: Date.parse(textOf(value['at'])), end: textOf(value['end']) as RecordEnd };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
