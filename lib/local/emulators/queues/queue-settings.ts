/** What a queue is made with: its attributes, read and checked. */
import { invalidValue, refused, unsupported } from './refusal.ts';

export interface Redrive {
  readonly deadLetterTargetArn: string;
  readonly maxReceiveCount: number;
}

export interface QueueSettings {
  readonly delaySec: number;
  readonly messageBytesMax: number;
  readonly retentionSec: number;
  readonly waitSec: number;
  readonly visibilitySec: number;
  readonly redrive?: Redrive;
  readonly isFifo: boolean;
  readonly dedupesByContent: boolean;
}

const KIB = 1_024;

/** @source SQS API 2012-11-05, SetQueueAttributes; SQS quotas (2026-10): a message is at most 1 MiB. */
export const COUNTS = {
  DelaySeconds: { member: 'delaySec', min: 0, max: 900, otherwise: 0 },
  MaximumMessageSize: {
    member: 'messageBytesMax',
    min: KIB,
    max: KIB * KIB,
    otherwise: KIB * KIB,
  },
  MessageRetentionPeriod: { member: 'retentionSec', min: 60, max: 1_209_600, otherwise: 345_600 },
  ReceiveMessageWaitTimeSeconds: { member: 'waitSec', min: 0, max: 20, otherwise: 0 },
  VisibilityTimeout: { member: 'visibilitySec', min: 0, max: 43_200, otherwise: 30 },
} as const;

/** How often a message may be received before it goes to the dead letters. */
const RECEIVES_MAX = { min: 1, max: 1_000 };

/** Accepted, without behaviour here: nothing is encrypted, and a role's policy alone decides. */
const INERT = [
  'Policy',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
  'SqsManagedSseEnabled',
  'FifoThroughputLimit',
];

export type Attributes = Readonly<Record<string, string>>;

/**
 * Read attributes as CreateQueue and SetQueueAttributes have them; what is not named stays as it was.
 *
 * @throws {ServiceError} as SQS refuses.
 */
export function readSettings(
  name: string,
  attributes: Attributes,
  before?: QueueSettings,
): QueueSettings {
  refuseUnknown(attributes);
  const isFifo = name.endsWith('.fifo');
  if (attributes['FifoQueue'] !== undefined && (attributes['FifoQueue'] === 'true') !== isFifo) {
    const reason = isFifo
      ? 'Modifying queue type is not supported'
      : 'The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length';
    throw invalidValue(attributes['FifoQueue'], 'FifoQueue', reason);
  }
  if (isFifo && before === undefined && attributes['FifoQueue'] !== 'true') {
    throw invalidValue(
      name,
      'QueueName',
      'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
    );
  }
  const redrive = readRedrive(attributes['RedrivePolicy']) ?? before?.redrive;
  return {
    ...readCounts(attributes, before),
    isFifo,
    dedupesByContent:
      attributes['ContentBasedDeduplication'] === undefined
        ? (before?.dedupesByContent ?? false)
        : attributes['ContentBasedDeduplication'] === 'true',
    ...(redrive === undefined || attributes['RedrivePolicy'] === '' ? {} : { redrive }),
  };
}

type Counts = Pick<
  QueueSettings,
  'delaySec' | 'messageBytesMax' | 'retentionSec' | 'waitSec' | 'visibilitySec'
>;

function readCounts(attributes: Attributes, before: QueueSettings | undefined): Counts {
  const counts: Partial<Record<keyof Counts, number>> = {};
  for (const [attribute, { member, min, max, otherwise }] of Object.entries(COUNTS)) {
    const text = attributes[attribute];
    const value = text === undefined ? (before?.[member] ?? otherwise) : Number(text);
    if (text !== undefined && (!/^\d+$/.test(text) || value < min || value > max)) {
      throw refused('InvalidAttributeValue', `Invalid value for the parameter ${attribute}.`);
    }
    counts[member] = value;
  }
  return counts as Counts;
}

function readRedrive(text: string | undefined): Redrive | undefined {
  if (text === undefined || text === '') return undefined;
  const wrong = (reason: string): Error => invalidValue(text, 'RedrivePolicy', reason);
  let policy: Record<string, unknown>;
  try {
    policy = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw wrong('Redrive policy is not a valid JSON map');
  }
  const { deadLetterTargetArn, maxReceiveCount, ...others } = policy;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw unsupported(`RedrivePolicy.${unknown}`);
  if (typeof deadLetterTargetArn !== 'string') {
    throw wrong('Redrive policy does not contain mandatory attribute: deadLetterTargetArn');
  }
  if (maxReceiveCount === undefined) {
    throw wrong('Redrive policy does not contain mandatory attribute: maxReceiveCount');
  }
  const receives = Number(maxReceiveCount);
  const { min, max } = RECEIVES_MAX;
  if (!(Number.isInteger(receives) && receives >= min && receives <= max)) {
    throw wrong(
      `Invalid value for maxReceiveCount: ${receives}, valid values are from 1 to 1000 both inclusive`,
    );
  }
  return { deadLetterTargetArn, maxReceiveCount: receives };
}

function refuseUnknown(attributes: Attributes): void {
  const known = [
    ...Object.keys(COUNTS),
    ...INERT,
    'RedrivePolicy',
    'FifoQueue',
    'ContentBasedDeduplication',
  ];
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'DeduplicationScope' && value === 'queue') continue;
    if (name === 'DeduplicationScope' || name === 'RedriveAllowPolicy') throw unsupported(name);
    if (!known.includes(name)) throw refused('InvalidAttributeName', `Unknown Attribute ${name}.`);
    if (typeof value !== 'string')
      throw refused('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
  }
}
