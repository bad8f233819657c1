/** How a poll ended, in one sentence. */

interface Answer {
  readonly kind?: unknown;
  readonly outcome?: unknown;
  readonly errorMessage?: unknown;
  readonly detail?: unknown;
}

const WELL_ENDED = ['caught-up', 'out-of-time', 'parked', 'paused', 'held-back', 'lease-held'];

/** Whether a poll function's answer says that something went wrong. */
export function isFailure(answer: unknown): boolean {
  return !WELL_ENDED.includes(kindOf(answer));
}

/** @example renderOutcome('orders', { outcome: 'caught-up', published: 3 }) */
export function renderOutcome(pipeline: string, answer: unknown): string {
  const { errorMessage, ...rest } = partsOf(answer);
  if (errorMessage !== undefined)
    return `${pipeline}: the function failed: ${String(errorMessage)}`;
  const facts = Object.entries(rest)
    .filter(
      ([name, value]) => !['kind', 'outcome'].includes(name) && value !== '' && value !== null,
    )
    .map(([name, value]) => factText(name, value));
  const kind = kindOf(answer);
  const remedy = kind === 'paused' ? `: \`penstock resume ${pipeline}\` lets it poll again` : '';
  return `${pipeline}: ${kind}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}${remedy}`;
}

/** Moments are told as people tell them. */
const MOMENTS: Readonly<Record<string, string>> = {
  untilMs: 'until',
  notBeforeMs: 'notBefore',
  sinceMs: 'since',
};

function factText(name: string, value: unknown): string {
  const moment = MOMENTS[name];
  if (moment !== undefined) return `${moment} ${new Date(Number(value)).toISOString()}`;
  return `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
}

function kindOf(answer: unknown): string {
  const { kind, outcome } = partsOf(answer);
  return String(outcome ?? kind ?? 'no outcome');
}

function partsOf(answer: unknown): Answer {
  return answer !== null && typeof answer === 'object' ? answer : {};
}
