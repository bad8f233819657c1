import type { TimeFormat, ZonedFormat } from './timestamp.ts';
import type { VersionFormat } from './version.ts';

export type FormatName = Extract<TimeFormat | VersionFormat, string> | ZonedFormat['kind'];

/** What a pipeline file calls a format. */
export function formatName(format: TimeFormat | VersionFormat): FormatName {
  return typeof format === 'string' ? format : format.kind;
}
