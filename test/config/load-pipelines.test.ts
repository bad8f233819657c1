import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadPipelines } from '#config/load-pipelines';
import type { PipelineInput } from '#config/pipeline-input';
import { handlerInput, ticketsInput } from '#test/config/pipeline-input';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'penstock-load-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const write = (file: string, text: string) => writeFileSync(join(directory, file), text);
const writePipeline = (file: string, over: Partial<PipelineInput>) =>
  write(file, `export default ${JSON.stringify(ticketsInput(over))};`);
const faults = async (stage = 'dev') => {
  const outcome = await loadPipelines({ directory, stage });
  return outcome.kind === 'faulty' ? outcome.faults : [];
};

/** A source and consumers that take no name from another pipeline. */
const apart = (name: string) => ({
  name,
  source: { ...ticketsInput().source, auth: { kind: 'none' as const } },
});

test("the repository's own pipelines load", async () => {
  const outcome = await loadPipelines({ directory: 'pipelines', stage: 'dev' });
  expect(outcome).toMatchObject({
    kind: 'loaded',
    pipelines: ['orders', 'payments', 'quakes'].map((name) => ({ settings: { name } })),
  });
});

describe('a rate that pipelines share', () => {
  const rated = (name: string, rate: PipelineInput['source']['rate']) => {
    const one = apart(name);
    return { ...one, source: { ...one.source, rate } };
  };

  test('is the same in all files that name the API, or both numbers are named', async () => {
    writePipeline('a.ts', rated('first', { requests: 100, perSec: 60, api: 'shop' }));
    writePipeline('b.ts', rated('second', { requests: 100, perSec: 60, burst: 1, api: 'shop' }));
    writePipeline('c.ts', rated('third', { requests: 7 }));
    writePipeline('d.ts', rated('fourth', { requests: 7, api: 'third' }));
    expect(await faults()).toEqual([]);
    writePipeline('e.ts', rated('fifth', { requests: 10, burst: 2, api: 'shop' }));
    expect(await faults()).toEqual([
      "e.ts: source.rate: gives 'shop' 10 requests in 1 s (burst 2), a.ts gives it " +
        '100 requests in 60 s (burst 1): write the same in both, or give one another `api`',
    ]);
  });
});

test('pipelines come in the order of their files, with their maps', async () => {
  writePipeline('b.ts', apart('first'));
  write(
    'c.ts',
    `const { ...file } = ${JSON.stringify(ticketsInput(apart('second')))};
     export default { ...file, map: (record: object) => record };`,
  );
  write('notes.md', 'not a pipeline');
  const outcome = await loadPipelines({ directory, stage: 'dev' });
  expect(outcome).toMatchObject({
    kind: 'loaded',
    pipelines: [
      { file: 'b.ts', path: join(directory, 'b.ts'), settings: { name: 'first' } },
      { file: 'c.ts', map: expect.any(Function), settings: { name: 'second' } },
    ],
  });
});

describe('a handler', () => {
  const withMail = (over: Parameters<typeof handlerInput>[0] = {}) =>
    writePipeline('t.ts', {
      consumers: [
        ...ticketsInput().consumers,
        handlerInput({ file: './handlers/mail.ts', ...over }),
      ],
    });
  const mail = (text: string) => {
    mkdirSync(join(directory, 'handlers'), { recursive: true });
    write('handlers/mail.ts', text);
  };

  test.each([
    ['record', 'export default defineHandler(async () => {});'],
    ['record', 'export default defineHandler<Order>(\n  async () => {},\n);'],
    ['key', 'export default defineRunHandler(async () => {});'],
    ['key', 'const handler = defineRunHandler(async () => {});\nexport { handler as default };'],
    ['record', 'throw new Error("it is not run when it is checked");\nexport default 7;'],
  ] as const)('per %s is found where its file says: %s', async (per, text) => {
    mail(text);
    withMail({ per });
    expect(await faults()).toEqual([]);
  });

  test('that is not there is said so, with the place that was looked at', async () => {
    withMail();
    expect(await faults()).toEqual([
      `t.ts: consumers[1].file: there is no file ${join(directory, 'handlers/mail.ts')}`,
    ]);
  });

  test('that exports nothing is told how', async () => {
    mail('export const handler = defineHandler(async () => {});\n// export default handler');
    withMail();
    expect(await faults()).toEqual([
      't.ts: consumers[1].file: ./handlers/mail.ts has no default export; write `export default defineHandler(…)`',
    ]);
  });

  test('of records is none of runs', async () => {
    mail('export default defineHandler(async () => {});');
    withMail({ per: 'key' });
    expect(await faults()).toEqual([
      "t.ts: consumers[1].per: 'key' needs `defineRunHandler`, and ./handlers/mail.ts exports what `defineHandler` makes",
    ]);
  });

  test('lies beside the file that a link leads to', async () => {
    mail('export default defineHandler(async () => {});');
    withMail();
    const links = join(directory, 'links');
    mkdirSync(links);
    symlinkSync(join(directory, 't.ts'), join(links, 't.ts'));
    expect(await loadPipelines({ directory: links, stage: 'dev' })).toMatchObject({
      kind: 'loaded',
      pipelines: [{ file: 't.ts', path: join(directory, 't.ts') }],
    });
  });

  test('is no pipeline, though it lies below them', async () => {
    mail('export default defineHandler(async () => {});');
    withMail();
    const outcome = await loadPipelines({ directory, stage: 'dev' });
    expect(outcome).toMatchObject({ kind: 'loaded', pipelines: [{ file: 't.ts' }] });
  });
});

describe('one sentence, that begins with its file, is said of', () => {
  test('a file without a default export', async () => {
    write('x.ts', 'export const pipeline = {};');
    expect(await faults()).toEqual([
      'x.ts: has no default export; write `export default definePipeline({ … })`',
    ]);
  });

  test('a file that is not TypeScript', async () => {
    write('x.ts', 'export default {\n  name: ,\n};');
    expect(await faults()).toEqual([expect.stringMatching(/^x\.ts: cannot be read: [^\n]+$/)]);
  });

  test('a file that throws', async () => {
    write('x.ts', "throw new Error('no such thing\\nand more');");
    expect(await faults()).toEqual(['x.ts: cannot be read: no such thing']);
  });

  test('a file that imports what is not there', async () => {
    write('x.ts', "import './gone.ts';\nexport default {};");
    expect(await faults()).toEqual([expect.stringMatching(/^x\.ts: cannot be read: [^\n]+$/)]);
  });

  test('each fault of every file', async () => {
    write('x.ts', `export default ${JSON.stringify({ ...ticketsInput(), nme: 1, mpa: 2 })};`);
    write('y.ts', 'export default 7;');
    expect(await faults()).toEqual([
      "x.ts: nme: unknown key; did you mean 'name'?",
      "x.ts: mpa: unknown key; did you mean 'map'?",
      'y.ts: must be an object',
    ]);
  });

  test('a folder that holds no pipeline', async () => {
    expect(await faults()).toEqual([`${directory} holds no pipeline files (*.ts)`]);
  });

  test('a stage that could not be told from a pipeline', async () => {
    expect(await faults('dev-a')).toEqual([
      "stage 'dev-a' must be 1 to 16 of a–z and 0–9, a letter first",
    ]);
  });
});

describe('a name belongs to one', () => {
  test('two pipelines share none', async () => {
    writePipeline('a.ts', apart('same'));
    writePipeline('b.ts', apart('same'));
    expect(await faults()).toEqual(["b.ts: name: 'same' is already the name of a.ts"]);
  });

  test('hyphens do not make two tables one', async () => {
    const [board] = ticketsInput().consumers;
    writePipeline('a.ts', { ...apart('shop'), consumers: [{ ...board!, name: 'eu-rows' }] });
    writePipeline('b.ts', { ...apart('shop-eu'), consumers: [{ ...board!, name: 'rows' }] });
    expect(await faults()).toEqual([
      "b.ts: the table 'penstock-dev-shop-eu-rows' would be taken by a.ts too",
    ]);
  });

  test('two pipelines share no secret', async () => {
    writePipeline('a.ts', { name: 'one' });
    writePipeline('b.ts', { name: 'two' });
    expect(await faults()).toEqual([
      "b.ts: the secret 'penstock/dev/tickets-token' would be taken by a.ts too: give it another name in source.auth.secret",
    ]);
  });
});

test('a name that AWS would refuse is refused first', async () => {
  const [board] = ticketsInput().consumers;
  writePipeline('a.ts', {
    ...apart('much-too-long-a-name'),
    consumers: [{ ...board!, name: 'and-a-long-consumer-as-well' }],
  });
  expect(await faults()).toEqual([
    expect.stringMatching(/^a\.ts: name: the bucket '.*' would be 6 too long \(63 /),
    expect.stringMatching(/^a\.ts: name: the function '.*' would be 5 too long \(64 /),
  ]);
});
