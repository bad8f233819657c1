/** Whether the mark of a deleted record tells it from a living one. */
import { share } from '#cli/doctor/finding';
import type { Check, RecordSeen } from '#cli/doctor/finding';
import { numberText } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { describeValue, readPath } from '#core/record/path';

const FIELD = 'source.deleted.field';

/** Fewer may all be gone. */
const RECORDS_MIN = 3;

/** What means no wherever it is written. */
const NO = /^(|0|f|false|n|no)$/i;

export const checkDeleted: Check = ({ options: { rules }, records }) => {
  const { deleted } = rules;
  if (deleted === undefined) return [];
  const name = `\`${deleted.join('.')}\``;
  const marks = records.map(({ raw }) => readPath(raw, deleted));
  const living = marks.filter(saysNo);
  const [first] = living;
  if (first !== undefined) {
    return [
      {
        severity: 'error',
        check: 'deleted-mark',
        field: FIELD,
        sentence: `${name} holds ${written(first)} in ${share(living.length, marks.length)}, and that deletes them: only null, false and absence say that a record lives.`,
      },
    ];
  }
  if (!areAllGone(records) || marks.includes(true)) return [];
  return [
    {
      severity: 'warning',
      check: 'all-deleted',
      field: FIELD,
      sentence: `All ${records.length} records are deletes, as ${name} holds ${describeValue(marks[0])}: only null, false and absence say that a record lives.`,
    },
  ];
};

function saysNo(mark: JsonValue | undefined): boolean {
  const digits = numberText(mark);
  if (digits !== undefined) return Number(digits) === 0;
  return typeof mark === 'string' && NO.test(mark.trim());
}

function written(mark: JsonValue): string {
  if (mark === '') return 'an empty text';
  return typeof mark === 'string' ? `'${mark}'` : (numberText(mark) ?? '');
}

function areAllGone(records: readonly RecordSeen[]): boolean {
  const isGone = ({ row }: RecordSeen) => row.kind === 'published' && row.change === 'delete';
  return records.length >= RECORDS_MIN && records.every(isGone);
}
