/** Whether the feed of deletes answers, and holds what the file says. */
import { share } from '#cli/doctor/finding';
import type { Check, DeletesSeen, Finding } from '#cli/doctor/finding';
import { plural } from '#cli/render/text';
import { troubleOf } from '#cli/source/ask-patiently';
import type { Walk } from '#cli/source/walk-pages';
import type { RefusalReason } from '#core/record/refusal';
import type { PageAnswer } from '#ports/page-source';

export const checkDeletesFeed: Check = ({ deletes }) =>
  deletes === undefined ? [] : [...answered(deletes.walk), ...readable(deletes)];

/** While it fails, nothing is published: it is read before the records. */
function answered({ end }: Walk): readonly Finding[] {
  switch (end.kind) {
    case 'no-page':
      return [
        finding(
          fieldOf(end.answer),
          'deletes-unanswered',
          `${troubleOf(end.answer)}: no poll gets past it`,
        ),
      ];
    case 'no-records':
      return [finding('records', 'deletes-records', `in the answer ${end.detail}`)];
    case 'no-token':
      return [finding('pagination', 'deletes-token', `in the answer ${end.detail}`)];
    default:
      return [];
  }
}

function fieldOf(answer: Exclude<PageAnswer, { kind: 'page' }>): string {
  const status = answer.kind === 'refused' ? answer.status : undefined;
  return status === 400 || status === 422 ? 'query' : 'path';
}

const FIELDS: Readonly<Partial<Record<RefusalReason, string>>> = {
  'no-key': 'key',
  'key-too-long': 'key',
  'no-version': 'version',
  'no-event-time': 'eventTime',
  'no-partition-key': 'partitionBy',
};

function readable({ rows, timeless }: DeletesSeen): readonly Finding[] {
  const refused = rows.filter((row) => row.kind === 'refused');
  const [first] = refused;
  if (first !== undefined) {
    const field = FIELDS[first.reason] ?? 'records';
    const many = share(refused.length, rows.length);
    return [finding(field, 'deletes-refused', `${many} would be refused: ${first.detail}`)];
  }
  if (timeless === 0 || timeless < rows.length) return [];
  return [
    finding(
      'incremental.field',
      'deletes-time',
      `not one of ${plural(rows.length, 'row')} holds a time that can be read: no poll gets past them`,
    ),
  ];
}

function finding(member: string, check: string, clause: string): Finding {
  return {
    severity: 'error',
    check,
    field: `source.deletes.${member}`,
    sentence: `Of the feed of deletes, ${clause}.`,
  };
}
