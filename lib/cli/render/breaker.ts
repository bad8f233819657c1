/** Whether consumers stand still, as text and as JSON. */
import type { BreakerMark, OpenBreaker } from '#ports/breaker-store';
import { count, isoOrNull, span } from './text.ts';

export interface ConsumerMark {
  readonly consumer: string;
  readonly mark: BreakerMark;
}

export function breakerLines(
  pipeline: string,
  marks: readonly ConsumerMark[],
  nowMs: number,
): string[] {
  const lines = marks.flatMap(({ consumer, mark }) => markLines(consumer, mark, nowMs));
  const isOpen = marks.some(({ mark }) => mark.open !== undefined);
  return isOpen
    ? [
        ...lines,
        'Deploy what mends it, and it goes on by itself; or, if the records are bad and not the code:',
        `penstock breaker close ${pipeline} --let-pass 1`,
      ]
    : lines;
}

function markLines(consumer: string, { open, letUntilMs }: BreakerMark, nowMs: number): string[] {
  const lets =
    letUntilMs > nowMs
      ? [
          `${consumer}: lets everything refused into quarantine for ${span(letUntilMs - nowMs)} more.`,
        ]
      : [];
  if (open === undefined) return lets.length > 0 ? lets : [`${consumer}: closed.`];
  return [
    `${consumer}: OPEN for ${span(nowMs - open.sinceMs)}: ${tripText(open)}; its shards stand still there.`,
    ...lets,
  ];
}

/** @example tripText({ refused: 60, received: 80, reason: 'no-key', … }) // '60 of 80 records refused (no-key)' */
export function tripText({ reason, refused, received }: OpenBreaker): string {
  return `${count(refused)} of ${count(received)} records refused (${reason})`;
}

/** Moments as ISO 8601. */
export function breakerJson(
  where: { readonly pipeline: string; readonly stage: string },
  marks: readonly ConsumerMark[],
): object {
  return {
    ...where,
    consumers: marks.map(({ consumer, mark: { open, letUntilMs } }) => ({
      consumer,
      open: open === undefined ? null : openJson(open),
      letUntil: isoOrNull(letUntilMs || null),
    })),
  };
}

export function openJson({ sinceMs, reason, refused, received, code }: OpenBreaker): object {
  return { since: new Date(sinceMs).toISOString(), reason, refused, received, code };
}
