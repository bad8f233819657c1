/** What the doctor found, a line each, and as JSON. */
import type { Diagnosis } from '#cli/doctor/doctor';
import { SEVERITIES } from '#cli/doctor/finding';
import { plural } from './text.ts';

export function renderDoctor({ file, pipeline, pages, records, findings }: Diagnosis): string[] {
  const counts = SEVERITIES.flatMap((severity) => {
    const some = findings.filter((finding) => finding.severity === severity).length;
    return some === 0 ? [] : [plural(some, severity)];
  });
  return [
    ...findings.map(
      ({ severity, field, sentence }) =>
        `${severity.padEnd(7)}  ${field === null ? '' : `${file}: ${field}: `}${sentence}`,
    ),
    `${pipeline}: ${counts.join(', ') || 'nothing found'} on ${plural(pages, 'page')} with ${plural(records, 'record')}.`,
  ];
}

export function doctorJson({ findings, ...diagnosis }: Diagnosis): object {
  return { ok: findings.every(({ severity }) => severity === 'note'), ...diagnosis, findings };
}
