/** What a pipeline file may say: settings, less whatever has a default. */
import type { BreakerRule } from '#core/breaker/refusal-share';
import type { DeletesSettings } from './deletes-settings.ts';
import type { SnapshotSettings } from './snapshot-settings.ts';
import type { ExpiredSettings } from './token-settings.ts';
import type {
  AlarmSettings,
  ApiKeyAuth,
  ConsumerSettings,
  DeltaLinkSettings,
  HandlerConsumerSettings,
  IncrementalSettings,
  LoadSettings,
  MapRecord,
  OAuth2Auth,
  Pagination,
  ProvisionedLoad,
  QuarantineSettings,
  RateSettings,
  RecordSettings,
  ScheduleSettings,
  SourceAuth,
  SourceSettings,
  StreamSettings,
  TableConsumerSettings,
  TokenSettings,
} from './pipeline-settings.ts';
import type { RequestSettings } from './request-settings.ts';
import type { BehindSettings, PollSettings } from './poll-settings.ts';

/** The members of `T`, those named in `Defaulted` left to their defaults at will. */
type Defaults<T, Defaulted extends keyof T> = Omit<T, Defaulted> & {
  readonly [Name in Defaulted]?: T[Name] | undefined;
};

type AuthInput =
  | Extract<SourceAuth, { kind: 'none' }>
  | Defaults<Extract<SourceAuth, { kind: 'bearer' }>, 'refetchOn'>
  | Defaults<Extract<SourceAuth, { kind: 'basic' }>, 'refetchOn'>
  | Defaults<ApiKeyAuth, 'prefix' | 'refetchOn'>
  | Defaults<OAuth2Auth, 'grant' | 'clientIn' | 'refetchOn'>;

type PaginationInput =
  | Extract<Pagination, { kind: 'none' | 'cursor' | 'keyset' | 'feed' }>
  | Defaults<Extract<Pagination, { kind: 'link' }>, 'next'>
  | Defaults<Extract<Pagination, { kind: 'page' }>, 'first'>
  | Defaults<Extract<Pagination, { kind: 'offset' }>, 'first' | 'overlap'>;

type TimeIncrementalInput = Defaults<
  IncrementalSettings,
  'fieldFormat' | 'format' | 'horizonSec' | 'inclusive' | 'ordered'
>;

type IncrementalInput =
  | TimeIncrementalInput
  | SnapshotSettings
  | ByTokenInput<TokenSettings>
  | ByTokenInput<DeltaLinkSettings>;

type ByTokenInput<Settings extends TokenSettings | DeltaLinkSettings> = Omit<
  Settings,
  'expired'
> & {
  readonly expired?: Defaults<ExpiredSettings, 'status'> | undefined;
};

/** A dot path alone is a timestamp in ISO 8601. */
type DeletesInput = Omit<
  Defaults<DeletesSettings, 'query'>,
  'version' | 'eventTime' | 'pagination' | 'incremental'
> & {
  readonly version?: string | DeletesSettings['version'];
  readonly eventTime?: string | DeletesSettings['eventTime'];
  readonly pagination: PaginationInput;
  readonly incremental: TimeIncrementalInput;
};

type SourceInput = Omit<
  Defaults<SourceSettings, 'query' | 'timeoutSec' | 'idleSec'>,
  'auth' | 'request' | 'pagination' | 'incremental' | 'deletes' | 'orphans' | 'rate'
> & {
  readonly rate?: Defaults<RateSettings, 'perSec' | 'burst'> | undefined;
  readonly request?: Defaults<RequestSettings, 'method' | 'headers'> | undefined;
  readonly auth?: AuthInput | undefined;
  readonly pagination: PaginationInput;
  readonly incremental: IncrementalInput;
  readonly deletes?: DeletesInput | undefined;
  readonly orphans?: false | { readonly shareMax?: number | undefined } | undefined;
};

type LoadInput = Defaults<ProvisionedLoad, 'headroom'> | Exclude<LoadSettings, ProvisionedLoad>;

type StreamInput = Omit<Defaults<StreamSettings, 'retentionHours' | 'recordBytesMax'>, 'load'> & {
  readonly load: LoadInput;
};

/** A dot path alone is a timestamp in ISO 8601. */
type RecordInput = Omit<RecordSettings, 'partitionBy' | 'version' | 'eventTime'> & {
  readonly partitionBy?: string | undefined;
  readonly version: string | RecordSettings['version'];
  readonly eventTime: string | RecordSettings['eventTime'];
};

type ConsumerOf<Settings extends ConsumerSettings, Given extends keyof Settings> = Omit<
  Defaults<Settings, Exclude<keyof Settings, Given>>,
  'breaker'
> & { readonly breaker?: Defaults<BreakerRule, keyof BreakerRule> | undefined };

type ConsumerInput =
  | ConsumerOf<TableConsumerSettings, 'kind' | 'name'>
  | ConsumerOf<HandlerConsumerSettings, 'kind' | 'name' | 'file' | 'per'>;

export interface PipelineInput {
  readonly name: string;
  readonly source: SourceInput;
  readonly schedule: ScheduleSettings;
  readonly poll?:
    | (Omit<Defaults<PollSettings, keyof PollSettings>, 'behind'> & {
        readonly behind?: Defaults<BehindSettings, keyof BehindSettings> | undefined;
      })
    | undefined;
  readonly record: RecordInput;
  readonly stream: StreamInput;
  readonly consumers: readonly ConsumerInput[];
  readonly quarantine?: Defaults<QuarantineSettings, keyof QuarantineSettings> | undefined;
  readonly alarms?: Defaults<AlarmSettings, keyof AlarmSettings> | undefined;
  /** The only function of a pipeline file. It must need nothing but its argument. */
  readonly map?: MapRecord | undefined;
}
