/** A pipeline's settings as everything downstream reads them: every default applied. */
import type { BreakerRule } from '#core/breaker/refusal-share';
import type { JsonObject } from '#core/record/json';
import type { SourceAuth } from './auth-settings.ts';
import type { DeletesSettings } from './deletes-settings.ts';
import type { PollSettings } from './poll-settings.ts';
import type { RequestSettings } from './request-settings.ts';
import type { Observed, SnapshotSettings } from './snapshot-settings.ts';
import type {
  DeltaLinkSettings,
  FeedPagination,
  KindOfError,
  Mark,
  TokenSettings,
} from './token-settings.ts';

export type { DeltaLinkSettings, Mark, TokenSettings } from './token-settings.ts';

export type { ApiKeyAuth, OAuth2Auth, SourceAuth } from './auth-settings.ts';

/** A value read from the environment where the pipeline runs. */
export interface Setting {
  /** Name of the environment variable: `ORDERS_API_URL`. */
  readonly env: string;
  readonly default?: string | undefined;
}

export type TextOrSetting = string | Setting;

export type Pagination =
  /** One answer holds everything. */
  | { readonly kind: 'none' }
  /** `next`: the token that the query parameter `param` takes; `more`: dot path of true or false. */
  | {
      readonly kind: 'cursor';
      readonly param: string;
      readonly next: Mark;
      readonly more?: string | undefined;
    }
  /** `next`: dot path of the next page's URL, or the `Link` header; `first`: only asked first. */
  | {
      readonly kind: 'link';
      readonly next: string | { readonly header: 'Link' };
      readonly first?: Readonly<Record<string, string>> | undefined;
    }
  /** `first`: the number of the first page; `pages`: how many there are. */
  | {
      readonly kind: 'page';
      readonly param: string;
      readonly first: 0 | 1;
      readonly pages?: Mark | undefined;
    }
  /**
   * `first`: the offset of the first record, 0 or 1; `total`: how many records all pages have;
   * `overlap`: how many records of a page the next shows again.
   */
  | {
      readonly kind: 'offset';
      readonly param: string;
      readonly first: 0 | 1;
      readonly total?: Mark | undefined;
      readonly overlap: number;
    }
  | FeedPagination
  /** `field`: dot path, in a record, of the value that `param` takes from the last one. */
  | { readonly kind: 'keyset'; readonly param: string; readonly field: string };

export type TimestampFormat = 'iso' | 'epoch-s' | 'epoch-ms' | 'epoch-us' | 'date' | 'local';
/** `iso-s`: ISO 8601 without a fraction of a second. */
export type BoundaryFormat = TimestampFormat | 'iso-s';
export type VersionFormat = TimestampFormat | 'integer' | 'revision';

/** Asked for what changed since a time. */
export interface IncrementalSettings {
  readonly kind?: 'time' | undefined;
  /** Query parameter that takes the boundary. */
  readonly param: string;
  /** Dot path, in a record, of the timestamp that the parameter filters by. */
  readonly field: string;
  /** How the record's field is written. */
  readonly fieldFormat: TimestampFormat;
  /** How the request parameter is written. */
  readonly format: BoundaryFormat;
  /** How long after its timestamp a record may still appear or change in the source, in seconds. */
  readonly horizonSec: number;
  /** Whether a record at exactly the boundary is answered. */
  readonly inclusive: boolean;
  /** Where the very first run begins: ISO text. */
  readonly start?: string | undefined;
  /** `param` takes an end; `sec`: longest span of one run, in seconds. */
  readonly until?: { readonly param: string; readonly sec?: number | undefined } | undefined;
  /** Whether answers come in rising order of the field. */
  readonly ordered: boolean;
}

export type RecordsSettings =
  /** Dot path of the array of records in an answer; empty when the answer is the array. */
  | string
  /** `optional`: an answer without records may leave the array out, or hold null there. */
  | { readonly path: string; readonly optional: true }
  /** `path`: dot path of an object whose members are records; `keyedBy`: the member that takes a name. */
  | { readonly path: string; readonly keyedBy: string; readonly optional?: boolean | undefined }
  /** Newline-delimited JSON. */
  | { readonly lines: true };

export interface ErrorsSettings {
  /** Dot path of an answer's error. */
  readonly path: string;
  /** Asks for a pause. */
  readonly waitIf?: KindOfError | undefined;
}

/** How often an API may be asked: `requests` in `perSec` seconds. */
export interface RateSettings {
  readonly requests: number;
  readonly perSec: number;
  readonly burst: number;
  /** Names the budget; the pipeline's own name unless given. */
  readonly api?: string | undefined;
}

export interface SourceSettings {
  readonly url: TextOrSetting;
  readonly request?: RequestSettings | undefined;
  readonly auth: SourceAuth;
  readonly records: RecordsSettings;
  readonly errors?: ErrorsSettings | undefined;
  readonly pagination: Pagination;
  readonly incremental: IncrementalSettings | TokenSettings | DeltaLinkSettings | SnapshotSettings;
  /** Undefined only where one answer holds everything. */
  readonly pageSize?: { readonly param?: string | undefined; readonly value: number } | undefined;
  readonly query: Readonly<Record<string, TextOrSetting>>;
  /** A record whose field holds anything but null or false is a delete. */
  readonly deleted?: { readonly field: string } | undefined;
  readonly deletes?: DeletesSettings | undefined;
  /** Whether what a complete read no longer shows is removed: at most this share of the keys known, 0 to 1. */
  readonly orphans: false | { readonly shareMax: number };
  readonly rate?: RateSettings | undefined;
  /** IANA name: the zone of times that name no offset; of dates UTC unless given. */
  readonly timeZone?: string | undefined;
  /** How long one request may take, in seconds. */
  readonly timeoutSec: number;
  /** How long an answer that has begun may pause, in seconds. */
  readonly idleSec: number;
}

export type ScheduleSettings =
  | { readonly everyMinutes: number }
  /** `cron`: the six fields of EventBridge Scheduler; `timeZone`: an IANA name. */
  | { readonly cron: string; readonly timeZone: string };

export interface RecordSettings {
  /** Dot path of the key, or of its two parts. Last segments name the table's partition and sort key. */
  readonly key: string | readonly [string, string];
  readonly version: { readonly field: string; readonly format: VersionFormat } | Observed;
  readonly eventTime: { readonly field: string; readonly format: TimestampFormat } | Observed;
  /** Dot path of the value that decides the shard; the key's path or paths unless the file names another. */
  readonly partitionBy: string | readonly [string, string];
}

export interface ProvisionedLoad {
  readonly recordsPerSecPeak: number;
  readonly recordBytesMean: number;
  /** Capacity kept above the load, as a factor. */
  readonly headroom: number;
}

export type LoadSettings = ProvisionedLoad | { readonly onDemand: true };

export interface StreamSettings {
  readonly load: LoadSettings;
  readonly retentionHours: number;
  /** Largest record the stream takes, partition key and data together, in bytes. */
  readonly recordBytesMax: number;
  /** ARN of a KMS key of yours; the AWS-managed key unless given. */
  readonly kmsKeyArn?: string | undefined;
}

/** What a consumer of every kind has. */
interface CommonConsumerSettings {
  readonly name: string;
  readonly batchSize: number;
  readonly batchingWindowSec: number;
  /** Batches of one shard in flight at once; above 1, order holds per partition key only. */
  readonly batchesPerShard: number;
  /** Retries of a failing batch before it is given up to quarantine; as many as its age allows unless given. */
  readonly retryAttempts?: number | undefined;
  /** Age at which an unfinished record is given up to quarantine, in hours. */
  readonly recordAgeMaxHours: number;
  /** Keys worked on side by side within one batch. */
  readonly concurrency: number;
  /** From which share of recent records, refused for one reason, the consumer stands still. */
  readonly breaker: BreakerRule;
  readonly memoryMb: number;
  readonly timeoutSec: number;
}

export interface TableConsumerSettings extends CommonConsumerSettings {
  readonly kind: 'table';
  /** Whether an item is its record alone, or others may write attributes beside it. */
  readonly mode: 'replace' | 'merge';
  /** By a member's name: its name in the table, or false to leave it out. */
  readonly attributes: Readonly<Record<string, string | false>>;
  /** How long a deleted key's tombstone stands, in days. */
  readonly tombstoneDays: number;
}

export interface HandlerConsumerSettings extends CommonConsumerSettings {
  readonly kind: 'handler';
  /** Path from the pipeline file of the module whose default export is the handler. */
  readonly file: string;
  /** What one call is given: a record, or a key's records of a batch. */
  readonly per: 'record' | 'key';
  /** Variables of the function, by name. */
  readonly environment: Readonly<Record<string, TextOrSetting>>;
  /** Names of the secrets that it may read, without their stage prefix. */
  readonly secrets: readonly string[];
}

export type ConsumerSettings = TableConsumerSettings | HandlerConsumerSettings;

export interface QuarantineSettings {
  /** How long a refused record can be fetched and redriven, in days. */
  readonly keptDays: number;
}

export interface AlarmSettings {
  /** Age of a record at its reader from which a consumer is too far behind, in minutes. */
  readonly iteratorAgeMinutes: number;
  /** Intervals without one successful poll after which the source's data is stale. */
  readonly staleIntervals: number;
}

export interface PipelineSettings {
  readonly name: string;
  readonly source: SourceSettings;
  readonly schedule: ScheduleSettings;
  readonly poll: PollSettings;
  readonly record: RecordSettings;
  readonly stream: StreamSettings;
  readonly consumers: readonly ConsumerSettings[];
  readonly quarantine: QuarantineSettings;
  readonly alarms: AlarmSettings;
}

/** Reshapes a record before it is published; null leaves it out. */
export type MapRecord = (record: JsonObject) => JsonObject | null;
