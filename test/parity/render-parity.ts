/** Renders the page of differences between the local cloud and other makers. */
import { COMPARISONS } from './all-parity.ts';
import type { Comparison } from './all-parity.ts';
import type { ExplainedDifference, Json } from './parity.ts';
import { markdownTable } from '#test/markdown-table';

const INTRODUCTION = `# Where the local cloud answers otherwise than others

<!-- Written by \`npm run docs\` from test/parity/. Do not edit. -->

The same questions are put to the local cloud and to another maker's emulator, through the SDK. What both answer alike is not
listed. A difference without a row fails the tests, and so does a row without its difference.
`;

const CELL_MAX = 90;

/** The whole page, in Markdown. */
export function renderParity(comparisons: readonly Comparison[] = COMPARISONS): string {
  return [INTRODUCTION, ...comparisons.map(renderComparison)].join('\n');
}

function renderComparison({ service, other, questions, differences }: Comparison): string {
  const asked = new Map(questions.map(({ id, asks }) => [id, asks]));
  const rows = differences.map((difference) => rowOf(difference, asked));
  const counts = `${questions.length} questions, ${differences.length} of them answered differently.`;
  return `## ${service}: ${other}\n\n${counts}\n\n${markdownTable(['asked', 'local cloud', other, 'right', 'by'], rows)}`;
}

function rowOf(
  { question, ours, theirs, right, source }: ExplainedDifference,
  asked: ReadonlyMap<string, string>,
): readonly string[] {
  return [asked.get(question) ?? question, shown(ours), shown(theirs), rightOf(right), source];
}

function rightOf(right: ExplainedDifference['right']): string {
  return {
    ours: 'local cloud',
    theirs: 'the other',
    both: 'both',
    neither: 'neither',
    unknown: 'unknown',
  }[right];
}

function shown(answer: Json): string {
  const error =
    typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : undefined;
  if (typeof error === 'string') return `\`${error}\``;
  const text = JSON.stringify(answer);
  return `\`${text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text}\``;
}
