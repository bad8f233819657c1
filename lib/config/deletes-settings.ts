/** Settings of a second feed. */
import type {
  IncrementalSettings,
  Pagination,
  RecordsSettings,
  TextOrSetting,
  TimestampFormat,
  VersionFormat,
} from './pipeline-settings.ts';

/** A second feed, whose every row is a delete. */
export interface DeletesSettings {
  /** At the origin of the source's URL. */
  readonly path: string;
  readonly records: RecordsSettings;
  /** As `record.key` unless given. */
  readonly key?: string | readonly [string, string] | undefined;
  /** The key unless given. */
  readonly partitionBy?: string | undefined;
  /** Without one, a delete takes away whatever was seen before it. */
  readonly version?: { readonly field: string; readonly format: VersionFormat } | undefined;
  readonly eventTime?: { readonly field: string; readonly format: TimestampFormat } | undefined;
  readonly pagination: Pagination;
  readonly incremental: IncrementalSettings;
  readonly pageSize?: { readonly param?: string | undefined; readonly value: number } | undefined;
  readonly query: Readonly<Record<string, TextOrSetting>>;
}
