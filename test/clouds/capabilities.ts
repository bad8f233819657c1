/** What a cloud may lack of what AWS does: the one table that tests skip by. */

/**
 * `localstack` is its open-source core in the image that is built here, with plugins of our own;
 * `published` is the image as LocalStack ships it, which lacks what `localstack` lacks, and more.
 */
export type CloudName = 'embedded' | 'localstack' | 'published';

export interface Gap {
  /** What happens instead; ends a sentence that begins with the cloud's name. */
  readonly reason: string;
  /** Where that is said, or how it was seen. */
  readonly source: string;
  /** How a test of it fails there. Left out where it cannot even be tried. */
  readonly symptom?: RegExp;
}

export interface Capability {
  /** A fact about AWS, in the present tense. */
  readonly promise: string;
  readonly gaps: Readonly<Partial<Record<CloudName, Gap>>>;
}

const LAMBDA = 'LocalStack 4.14.0, services/lambda_';
const POLLERS = `${LAMBDA}/event_source_mapping/pollers`;
const LIMITS = 'test/localstack/image/plugin/penstock_localstack/limits.py';

const UNLIMITED: Gap = {
  reason: 'takes what comes',
  source: 'seen with kinesis-local 0.5.2, which answers for Kinesis there',
  symptom: /to include 'ProvisionedThroughputExceeded/,
};

export const CAPABILITIES = {
  'cdk-deploy': {
    promise: 'cdk deploys, compares and destroys the app',
    gaps: {
      embedded: {
        reason: 'reads cdk.out itself: there is no CloudFormation to deploy through',
        source: 'docs/decisions/0011-local-cloud-reads-cdk-out.md',
      },
    },
  },
  'closed-shards-are-read-once': {
    promise: 'a shard that is closed and read to its end is not read again',
    gaps: {
      localstack: {
        reason: 'begins every shard anew whenever it has come to the end of a closed one',
        source: 'localstack 4.14.0, lambda_/event_source_mapping/pollers/stream_poller.py',
        symptom: /^delivered again: /,
      },
    },
  },
  'batch-size': { promise: 'no batch is larger than the batch size', gaps: {} },
  'record-shape': { promise: 'records are handed over as Lambda documents them', gaps: {} },
  'retry-attempts': {
    promise: 'a batch is retried as often as the mapping says, then rests in the failure bucket',
    gaps: {},
  },
  'partial-responses': { promise: 'a partial response retries from its lowest number', gaps: {} },
  'unknown-item': { promise: 'a partial response that names no record fails the batch', gaps: {} },
  'bisect-on-error': {
    promise: 'a batch that fails is halved until the record at fault is alone',
    gaps: {
      localstack: {
        reason: 'stores the property and ignores it: the whole batch is given up',
        source: `${POLLERS}/stream_poller.py, bisect_events: "not implemented"`,
        symptom: /'before', 'poison', 'after' \] to deeply equal \[ 'poison' \]/,
      },
    },
  },
  'parallelization-factor': {
    promise: 'several batches of a shard run at once, each key in order',
    gaps: {
      localstack: {
        reason: 'reads all shards of a mapping in turn, a batch at a time',
        source: `${POLLERS}/stream_poller.py, poll_events`,
        symptom: /batches at once: expected 1 to be greater than or equal to 2/,
      },
    },
  },
  'starting-position-timestamp': {
    promise: 'a mapping starts at a time',
    gaps: {
      localstack: {
        reason: 'never delivers anything of such a mapping',
        source: `${POLLERS}/kinesis_poller.py, initialize_shards: sends it as a sequence number`,
        symptom: /expected \[\] to deeply equal \[ \[ 'after' \] \]/,
      },
    },
  },
  'mapping-update': {
    promise: 'changing a mapping costs no delivery, and doubles none',
    gaps: {
      localstack: {
        reason: 'begins again at the starting position: everything is delivered once more',
        source: `${LAMBDA}/provider.py, update_event_source_mapping_v2`,
        symptom: /'before', 'before', 'after' \] to deeply equal/,
      },
    },
  },
  'tumbling-windows': {
    promise: 'a tumbling window hands its state from batch to batch',
    gaps: {
      localstack: {
        reason: 'stores the property and ignores it: there is no window in the event',
        source: `${LAMBDA}/event_source_mapping/esm_worker_factory.py, get_esm_worker`,
        symptom: /expected undefined to be defined/,
      },
    },
  },
  'put-records-count': {
    promise: 'a request holds 500 records at most',
    gaps: { published: { reason: 'accepts 501', source: LIMITS } },
  },
  'record-bytes': {
    promise: 'a record holds 1 MiB at most, unless its stream says more',
    gaps: {},
  },
  'request-bytes': {
    promise: 'a request holds 10 MiB at most',
    gaps: { published: { reason: 'accepts more', source: LIMITS } },
  },
  'shard-records-rate': {
    promise: 'a shard takes 1,000 records a second at most',
    gaps: { localstack: UNLIMITED },
  },
  'shard-bytes-rate': {
    promise: 'a shard takes 1 MiB a second at most',
    gaps: { localstack: UNLIMITED },
  },
  'iterator-at-timestamp': { promise: 'a stream is read from a time on', gaps: {} },
  'http2-reads': {
    promise: 'a Kinesis client as the SDK makes it, over HTTP/2, reads any page',
    gaps: {
      published: {
        reason: 'cuts pages of some 100 records and more off',
        source: 'test/localstack/image/plugin/penstock_localstack/http2.py',
      },
    },
  },
  'item-size-of-updates': {
    promise: 'an update that would make an item too large changes nothing of it',
    gaps: {
      localstack: {
        reason: 'refuses it, and keeps a part of it',
        source: 'seen with moto 5, which answers for DynamoDB there',
        symptom: /^expected .* to be undefined$/,
      },
    },
  },
  'nested-name-bytes': {
    promise: 'a name of an attribute has 64 KB at most, also below the top',
    gaps: {
      localstack: {
        reason: 'takes longer ones',
        source: 'seen with moto 5, which answers for DynamoDB there',
        symptom: /kind: 'written'/,
      },
    },
  },
  'wide-updates': {
    promise: 'an update sets and takes away hundreds of attributes',
    gaps: {
      localstack: {
        reason: 'fails with an error of its own',
        source: 'seen with moto 5, which answers for DynamoDB there',
        symptom: /maximum recursion depth exceeded/,
      },
    },
  },
  permissions: {
    promise: 'nobody does what their role does not allow',
    gaps: {
      localstack: {
        reason: 'asks no policy: enforcing them is not part of its open-source core',
        source: 'LocalStack 4.14.0, aws/handlers: none does',
        symptom: /^(promise resolved "'deployed'" instead of rejecting|nobody counts the calls)/,
      },
    },
  },
  schedule: {
    promise: 'a schedule fires, again and again',
    gaps: {
      published: {
        reason: 'stores schedules and fires none; ours fires them by a plugin of this project',
        source: 'LocalStack 4.14.0, services/scheduler/provider.py',
      },
    },
  },
} as const satisfies Readonly<Record<string, Capability>>;

export type CapabilityName = keyof typeof CAPABILITIES;

export function gapOf(name: CapabilityName, cloud: CloudName): Gap | undefined {
  const { gaps }: Capability = CAPABILITIES[name];
  return gaps[cloud] ?? (cloud === 'published' ? gaps.localstack : undefined);
}
