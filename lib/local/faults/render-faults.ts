/** docs/reference/faults.md, from the table that the parser reads. */
import { FAULT_KINDS, FAULT_TIMING } from './fault-kinds.ts';
import type { FaultKind } from './fault-kinds.ts';

const HEAD = `# Faults

Written by \`npm run docs\` from the table that the parser reads.

The local cloud fails on command: in a test (\`startCloud({ faults })\`), while it runs (\`cloud.faults.add\`, or the
[command](commands.md#penstock-fault)), or from any program, at its control endpoint. [The guide](../guide/testing.md) has examples.
A fault is an object with a \`kind\`; what it does not name, it strikes wherever it can. \`*\` is any, too.

| kind | what it does | where | numbers it needs |
|---|---|---|---|`;

const TIMING_HEAD = `
## When

All kinds but \`split-shard\` and \`merge-shards\`, which strike once and have \`afterMs\` alone, may have each of these.

| member | meaning |
|---|---|`;

const FOOT = `
Of several faults that fit, the one that was added first strikes. With a \`seed\`, the same faults strike the same.
Streams, tables, functions and schedules are named by their physical names, shards by their ids. A service is
\`kinesis\`, \`dynamodb\`, \`s3\`, \`secretsmanager\`, \`lambda\`, \`scheduler\`, \`logs\` or \`sqs\`; an operation is named as in
its API: \`PutRecords\`, \`GetObject\`, \`Invoke\`.

## The control endpoint

| request | answer |
|---|---|
| \`GET /_penstock/faults\` | a list of \`{ id, fault, hits }\`; \`failure\` says why one could not strike |
| \`POST /_penstock/faults\` with a fault as JSON | 201 and \`{ id }\`; 400 and a \`message\` that says what would be right |
| \`DELETE /_penstock/faults/f1\` | 204: it strikes no more; 404 when there is none of this id |
| \`DELETE /_penstock/faults\` | 204: none strikes any more |
`;

export function renderFaultsPage(): string {
  const kinds = Object.entries<FaultKind>(FAULT_KINDS).map(
    ([kind, { does, targets, measures = {} }]) => {
      const where = targets.map((target) => `\`${target}\``).join(', ');
      const numbers = Object.entries(measures).map(([name, { means }]) => `\`${name}\`: ${means}`);
      return `| \`${kind}\` | ${does} | ${where} | ${numbers.join('; ')} |`;
    },
  );
  const timing = Object.entries(FAULT_TIMING).map(
    ([name, { means }]) => `| \`${name}\` | ${means} |`,
  );
  return [HEAD, ...kinds, TIMING_HEAD, ...timing, FOOT].join('\n');
}
