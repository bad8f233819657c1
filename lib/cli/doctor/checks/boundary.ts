/** Whether a boundary filters, and what it does with a record that stands at it. */
import { formatName } from '#core/record/format-name';
import type { Check, Finding, Observed, Probe } from '#cli/doctor/finding';
import { secondOf } from '#cli/doctor/plan-probe';
import { comparedTexts } from '#cli/doctor/probe-boundary';
import { troubleOf } from '#cli/source/ask-patiently';
import { span } from '#cli/render/text';
import { timestampMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';
import type { Incremental } from '#core/source/page-query';

export const checkBoundary: Check = ({ probe, records, options }) => {
  const { incremental } = options.source;
  if (probe === undefined || incremental === undefined) return [];
  return refusedBoundary(probe, incremental) ?? filters(probe, { records, incremental });
};

function refusedBoundary({ walk: { pages, end } }: Probe, { param, paramFormat }: Incremental) {
  if (pages.length > 0 || end.kind !== 'no-page') return undefined;
  const trouble = troubleOf(end.answer);
  return [
    end.answer.kind === 'wait'
      ? finding(
          'warning',
          'boundary-unasked',
          'param',
          `It was not asked with a boundary: ${trouble}.`,
        )
      : finding(
          'error',
          'boundary-refused',
          'format',
          `With a boundary in \`${param}\`, written as ${formatName(paramFormat)}, ${trouble}: it may be written in another way.`,
        ),
  ];
}

function filters(
  { at, times, atBoundary }: Probe,
  { records, incremental }: Pick<Observed, 'records'> & { readonly incremental: Incremental },
): readonly Finding[] {
  const { param, inclusive } = incremental;
  const early = times.filter((time) => secondOf(time) < secondOf(at)).sort();
  const [earliest] = early;
  if (earliest !== undefined) {
    const back = span(timestampMs(at) - timestampMs(earliest));
    return isUnfiltered(early, at, records)
      ? [
          finding(
            'error',
            'boundary-ignored',
            'param',
            `With a boundary in \`${param}\` the source answers what lies before it as well: every poll would read everything.`,
          ),
        ]
      : [
          finding(
            'warning',
            'boundary-coarse',
            'format',
            `With a boundary in \`${param}\` the source answers records up to ${back} older: every poll reads them again.`,
          ),
        ];
  }
  if (atBoundary === 'nothing') return [unread(incremental)];
  if (inclusive && atBoundary === 'left-out-as-text') {
    return comparedAsText(at, { records, incremental });
  }
  if (inclusive && atBoundary === 'left-out') {
    return [
      finding(
        'error',
        'boundary-exclusive',
        'inclusive',
        'A record exactly at the boundary is not answered, where `inclusive` is true: records of that time that appear later are lost. Set false.',
      ),
    ];
  }
  if (!inclusive && atBoundary === 'answered') {
    return [
      finding(
        'warning',
        'boundary-inclusive',
        'inclusive',
        'A record exactly at the boundary is answered, where `inclusive` is false: every poll asks for more than it needs. Set true.',
      ),
    ];
  }
  return [];
}

function unread({ param, paramFormat }: Incremental): Finding {
  const other = formatName(paramFormat) === 'epoch-ms' ? "; 'epoch-s' may be meant" : '';
  return finding(
    'error',
    'boundary-unread',
    'format',
    `With a boundary in \`${param}\`, written as ${formatName(paramFormat)}, the source answers nothing at all, as early as it may be: no poll but the first would find a record${other}.`,
  );
}

function comparedAsText(
  at: Timestamp,
  seen: Pick<Observed, 'records'> & { readonly incremental: Incremental },
): readonly Finding[] {
  const texts = comparedTexts(at, seen);
  if (texts === undefined) return [];
  return [
    finding(
      'error',
      'boundary-as-text',
      'format',
      `The source seems to compare times as texts: its '${texts.row}' stands before the boundary '${texts.asked}', so such records are lost. Write 'local', and source.timeZone: 'UTC'.`,
    ),
  ];
}

/** Most of what lies before the boundary came again; some may have changed since. */
function isUnfiltered(
  early: readonly Timestamp[],
  at: Timestamp,
  records: Observed['records'],
): boolean {
  const before = new Set(records.flatMap(({ time }) => (time && time < at ? time : [])));
  const again = new Set(early.filter((time) => before.has(time)));
  return again.size * 2 > before.size;
}

function finding(
  severity: Finding['severity'],
  check: string,
  member: string,
  sentence: string,
): Finding {
  return { severity, check, field: `source.incremental.${member}`, sentence };
}
