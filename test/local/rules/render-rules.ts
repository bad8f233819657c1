/** Renders the page of the local cloud's rules, each with the test that asks it. */
import { readdirSync, readFileSync } from 'node:fs';
import { ALL_RULES } from './all-rules.ts';
import type { RuledService } from './all-rules.ts';
import type { Rule } from './rule.ts';
import { markdownTable } from '#test/markdown-table';

export interface RuleTestPlace {
  readonly service: string;
  readonly id: string;
  /** From the project's root. */
  readonly path: string;
}

const HEADINGS: Readonly<Record<RuledService, string>> = {
  kinesis: 'Kinesis Data Streams',
  mapping: 'Event source mapping',
  dynamodb: 'DynamoDB',
  lambda: 'Lambda',
  scheduler: 'EventBridge Scheduler',
  secrets: 'Secrets Manager',
  objects: 'S3',
  queues: 'SQS',
  iam: 'IAM',
  wire: 'The port',
};

const INTRODUCTION = `# What the local cloud does as AWS does

<!-- Written by \`npm run docs\` from test/local/rules/. Do not edit. -->

A row is a rule of AWS that the local cloud keeps, and its first words are the title of the test that asks it: a rule without
a test cannot stand here. Where AWS documents nothing, the row says *our choice* and why.
`;

const CALL = /^\s*ruleTest\(\s*'(?<service>[^']+)',\s*'(?<id>[^']+)'/gm;

/** Every call of `ruleTest` below `test/`, in the order of files and lines. */
export function findRuleTests(): readonly RuleTestPlace[] {
  const paths = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `test/${path}`)
    .sort();
  return paths.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(CALL)].map(({ groups = {} }) => ({
      service: groups['service'] ?? '',
      id: groups['id'] ?? '',
      path,
    })),
  );
}

/** The whole page, in Markdown. */
export function renderRules(tests = findRuleTests()): string {
  const sections = (Object.keys(ALL_RULES) as RuledService[]).map((service) => {
    const rows = Object.entries<Rule>(ALL_RULES[service]).map(([id, rule]) => {
      const paths = tests.filter((one) => one.service === service && one.id === id);
      return [
        rule.rule,
        rule.limit ?? '',
        sourceOf(rule),
        [...new Set(paths.map(linkTo))].join('<br>'),
      ];
    });
    return `## ${HEADINGS[service]}\n\n${markdownTable(['rule', 'number', 'source', 'test'], rows)}`;
  });
  return [INTRODUCTION, ...sections].join('\n');
}

function sourceOf({ source, isOurChoice }: Rule): string {
  return isOurChoice ? `*our choice*: ${source}` : source;
}

function linkTo({ path }: RuleTestPlace): string {
  return `[${path.split('/').at(-1)}](../../${path})`;
}
