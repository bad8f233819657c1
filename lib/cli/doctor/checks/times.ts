/** Whether versions, event times and the source's own times can be read as the file says. */
import { formatName } from '#core/record/format-name';
import type { FormatName } from '#core/record/format-name';
import { share } from '#cli/doctor/finding';
import type { Check, Finding, Observed } from '#cli/doctor/finding';
import { scalarText } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { describeValue, readPath } from '#core/record/path';
import type { Path } from '#core/record/path';
import { sortableVersion } from '#core/record/version';
import type { VersionFormat } from '#core/record/version';
import { timeShape } from '#core/source/time-shape';
import type { TimeShape } from '#core/source/time-shape';

interface TimeField {
  /** In the pipeline file. */
  readonly field: string;
  readonly formatField: string;
  readonly path: Path;
  readonly format: VersionFormat;
  readonly values: readonly (JsonValue | undefined)[];
  /** What a record without it costs. */
  readonly cost: string;
  /** Undefined where one record is as bad as all. */
  readonly someCost: string | undefined;
}

export const checkTimes: Check = (seen) => fieldsOf(seen).flatMap(checkField);

/** Who asks by token has no time to ask about. */
export const checkByToken: Check = ({ options: { source } }) =>
  source.feed === undefined
    ? []
    : [
        {
          severity: 'note',
          check: 'asked-by-token',
          field: 'source.incremental.kind',
          sentence: `Changes are asked for by ${source.feed.param === undefined ? 'a link' : `the token in \`${source.feed.param}\``}, so the order of times and the boundary were not looked at.`,
        },
      ];

function fieldsOf({ options: { rules, source }, records }: Observed): readonly TimeField[] {
  const { version, eventTime } = rules;
  const { incremental } = source;
  // A delete may do without either.
  const living = records.filter(({ row }) => row.kind !== 'published' || row.change === 'upsert');
  const mapped = living.flatMap(({ data }) => data ?? []);
  const named = (name: string, rule: { path: Path; format: VersionFormat } | 'observed') => {
    if (rule === 'observed') return [];
    const { path, format } = rule;
    return {
      field: name,
      formatField: `${name}.format`,
      path,
      format,
      values: mapped.map((data) => readPath(data, path)),
      cost: 'such a record is refused',
      someCost: undefined,
    };
  };
  return [
    ...[named('record.version', version)].flat(),
    ...[named('record.eventTime', eventTime)].flat(),
    ...(incremental === undefined
      ? []
      : [
          {
            field: 'source.incremental.field',
            formatField: 'source.incremental.fieldFormat',
            path: incremental.path,
            format: incremental.fieldFormat ?? ('iso' as const),
            values: records.map(({ raw }) => readPath(raw, incremental.path)),
            cost: 'no poll gets past them',
            someCost: 'such a record is published, and moves no boundary',
          },
        ]),
  ];
}

function checkField(time: TimeField): readonly Finding[] {
  const { field, formatField, path, format, values, cost, someCost } = time;
  const name = `\`${path.join('.')}\``;
  const other = otherShape(values, format);
  if (other !== undefined) {
    return [
      {
        severity: 'error',
        check: 'time-format',
        field: formatField,
        sentence: `${name} holds ${WORDS[other]}, and the file declares ${declared(format)}${remedy(other)}.`,
      },
    ];
  }
  const unread = values.filter((value) => !isReadable(value, format));
  if (unread.length === 0) return [];
  const isSome = unread.length < values.length;
  return [
    {
      severity: isSome && someCost !== undefined ? 'warning' : 'error',
      check: 'time-unreadable',
      field,
      sentence: `${name} holds ${describeValue(unread[0])} in ${share(unread.length, values.length)}, and the file declares ${declared(format)}: ${(isSome && someCost) || cost}.`,
    },
  ];
}

/** The one shape that all have who look like a time at all, when it is not the declared one. */
function otherShape(
  values: readonly (JsonValue | undefined)[],
  format: VersionFormat,
): TimeShape | undefined {
  if (format === 'integer' || format === 'revision') return undefined;
  const shapes = new Set(values.map(timeShape));
  shapes.delete(undefined);
  const [shape, ...others] = shapes;
  const isDeclared = shape !== undefined && REMEDY[shape] === formatName(format);
  return others.length > 0 || isDeclared ? undefined : shape;
}

/** By what values look like, the format that reads them; of nanoseconds there is none. */
const REMEDY: Readonly<Record<TimeShape, FormatName | undefined>> = {
  iso: 'iso',
  'epoch-s': 'epoch-s',
  'epoch-ms': 'epoch-ms',
  'epoch-us': 'epoch-us',
  'epoch-ns': undefined,
  'no-offset': 'local',
  date: 'date',
};

function remedy(shape: TimeShape): string {
  const format = REMEDY[shape];
  if (format === undefined) return '';
  const zone = format === 'local' ? ', and source.timeZone' : '';
  return `: write '${format}'${zone}`;
}

const WORDS: Readonly<Record<TimeShape | 'integer' | 'revision', string>> = {
  revision: 'a whole number, alone or before a hyphen',
  integer: 'a whole number',
  iso: 'ISO 8601',
  'epoch-s': 'epoch seconds',
  'epoch-ms': 'epoch milliseconds',
  'epoch-us': 'epoch microseconds',
  'epoch-ns': 'epoch nanoseconds',
  'no-offset': 'a time without an offset',
  date: 'a date without a time',
};

function declared(format: VersionFormat): string {
  const name = formatName(format);
  if (name === 'iso' || name === 'iso-s') return 'ISO 8601 with an offset';
  return WORDS[name === 'local' ? 'no-offset' : name];
}

function isReadable(value: JsonValue | undefined, format: VersionFormat): boolean {
  const text = scalarText(value);
  return text !== undefined && sortableVersion(text, format) !== undefined;
}
