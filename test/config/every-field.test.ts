/** Every field of a pipeline file wrong in turn. A new field of the schema is met here by itself. */
import { describe, expect, test } from 'vitest';
import { pathText } from '#config/faults';
import { pipelineSchema } from '#config/pipeline-schema';
import { faultsOf } from '#test/config/pipeline-input';
import {
  accepts,
  boundsOf,
  putAt,
  readAt,
  schemaFields,
  shapesOf,
} from '#test/config/schema-fields';
import type { Field, Json } from '#test/config/schema-fields';

const LEAST: Json = {
  name: 'least',
  source: {
    url: 'https://api.example.com/things',
    records: 'things',
    pagination: { kind: 'offset', param: 'offset' },
    incremental: { param: 'since', field: 'a' },
    pageSize: { param: 'n', value: 10 },
  },
  schedule: { everyMinutes: 1 },
  record: { key: 'ids.thing', version: 'at', eventTime: 'at' },
  stream: { load: { onDemand: true } },
  consumers: [{ kind: 'table', name: 'things' }],
};

/** Other files, each with what the first cannot have beside what it has. */
const OTHERS: readonly Json[] = [
  putAt(
    putAt(LEAST, ['source', 'incremental'], { kind: 'token', param: 'since', next: 'last' }),
    ['source', 'pagination'],
    { kind: 'feed' },
  ),
  putAt(
    putAt(LEAST, ['source', 'incremental'], { kind: 'delta-link', next: 'delta' }),
    ['source', 'pagination'],
    { kind: 'link' },
  ),
  putAt(LEAST, ['source', 'incremental'], { kind: 'snapshot' }),
  putAt(LEAST, ['source', 'request'], {
    method: 'POST',
    body: { offset: 0, since: null, n: null },
  }),
  putAt(LEAST, ['record', 'key'], ['ids.thing', 'ids.part']),
];

/** Nobody may read it in a fault: it may be a secret that stands in the wrong place. */
const MARK = 'hunter2';
const MARKED = 918_273_645;

const WRONG: readonly Json[] = [
  null,
  true,
  false,
  MARKED,
  -MARKED,
  0.918273645,
  '',
  ` ${MARK}\u0000`,
  MARK,
  `https://u:${MARK}@a.test/`,
  [],
  [MARK],
  [null],
  { [MARK]: MARK },
];

/** What must not stand in a sentence for the person who wrote the file. */
const JARGON =
  /invalid|expected|received|union|unrecogni|zod|undefined|NaN|\bnull\b(?! or)|too (small|big)|regex|pattern|object Object|\n|\bat .*:\d+/i;
/** Each says what would be right. */
const REMEDY =
  /^(must (be|name|hold|not|have|begin|end|take)\b|is missing\b|unknown key; (did you mean '|valid here: )|takes |is a )/;

const walks = [LEAST, ...OTHERS.filter((file) => faultsOf(file).length === 0)].map((file) =>
  schemaFields(pipelineSchema, file, faultsOf),
);
const fields = firstOfEach(walks.flatMap(({ fields }) => fields));
const holders = firstOfEach(walks.flatMap(({ holders }) => holders));
const unreached = walks[0]!.unreached.filter((place) =>
  walks.every((walk) => walk.unreached.includes(place)),
);
const named = fields.map((field) => ({
  field,
  name: `${pathText(field.path)} of ${kindsIn(field)}`,
}));

/** Which of several shapes the file has, as far as a word says it. */
function kindsIn({ path, file }: Pick<Field, 'path' | 'file'>): string {
  const kinds = path.map((_, at) => readAt(file, [...path.slice(0, at), 'kind']));
  return kinds.filter((kind) => typeof kind === 'string').join(' ') || 'any';
}

function firstOfEach<T extends Pick<Field, 'path' | 'file'>>(places: readonly T[]): readonly T[] {
  const known = new Map<string, T>();
  for (const place of places) {
    const name = `${pathText(place.path)} of ${kindsIn(place)}`;
    if (!known.has(name)) known.set(name, place);
  }
  return [...known.values()];
}

const sentences = (file: Json): readonly { place: string; text: string }[] =>
  faultsOf(file).map((fault) => {
    const [, place = '', text = fault] = /^(\S+?): (.*)$/s.exec(fault) ?? [];
    return { place, text };
  });

function problemOf(
  file: Json,
  path: Field['path'],
  { isExact }: { isExact: boolean },
): string | undefined {
  const found = sentences(file);
  const said = found.map(({ place, text }) => `${place}: ${text}`).join(' | ');
  if (found.length !== 1) return `says ${found.length} things: ${said}`;
  const { place, text } = found[0]!;
  const whole = pathText(path);
  const isThere = isExact
    ? place === whole
    : place === whole || place.startsWith(`${whole}.`) || place.startsWith(`${whole}[`);
  if (!isThere) return `speaks of another place: ${said}`;
  if (JARGON.test(text)) return `speaks a schema's language: ${said}`;
  if (!REMEDY.test(text)) return `does not say what would be right: ${said}`;
  if (said.includes(MARK) || said.includes(String(MARKED))) return `quotes the file: ${said}`;
  return undefined;
}

const problems = (cases: readonly { what: string; problem: string | undefined }[]) =>
  cases.flatMap(({ what, problem }) => (problem === undefined ? [] : [`${what} ${problem}`]));

test('the walk reaches every place of the schema, in a file that is right', () => {
  expect(unreached).toEqual([]);
  expect(fields.filter(({ file }) => faultsOf(file).length > 0)).toEqual([]);
  expect(named.length).toBeGreaterThan(150);
});

describe('one sentence with path and remedy, and nothing of the file in it', () => {
  test('for a value of a wrong type, or out of its bounds', () => {
    const cases = named.flatMap(({ field, name }) =>
      [...WRONG, ...beyond(field.schema)]
        .filter(
          (value) =>
            !accepts(field.schema, value) && !(isObject(value) && mayBeObject(field.schema)),
        )
        .map((value) => ({
          what: `${name} = ${JSON.stringify(value)}`,
          problem: problemOf(putAt(field.file, field.path, value), field.path, {
            isExact: !Array.isArray(value) && !isObject(value),
          }),
        })),
    );
    expect(cases.length).toBeGreaterThan(1_000);
    expect(problems(cases)).toEqual([]);
  });

  test('for what is missing', () => {
    const cases = named
      .filter(({ field }) => field.isRequired)
      .map(({ field, name }) => ({
        what: name,
        problem: problemOf(putAt(field.file, field.path, undefined), field.path, { isExact: true }),
      }));
    expect(problems(cases)).toEqual([]);
  });

  test('for an unknown key, with the key that is near or all there are', () => {
    const cases = holders.flatMap((holder) =>
      [...holder.members.map((meant) => ({ key: misspelt(meant), meant })), FAR]
        .filter(({ key }) => !holder.members.includes(key))
        .map(({ key, meant }) => {
          const path = [...holder.path, key];
          const file = putAt(holder.file, path, MARK);
          const text = sentences(file)[0]?.text ?? '';
          const isHelp =
            meant === undefined
              ? text.startsWith('unknown key; valid here: ')
              : text === `unknown key; did you mean '${meant}'?`;
          return {
            what: `${pathText(path)} of ${kindsIn(holder)}`,
            problem:
              problemOf(file, path, { isExact: true }) ?? (isHelp ? undefined : `says: ${text}`),
          };
        }),
    );
    expect(cases.length).toBeGreaterThan(100);
    expect(problems(cases)).toEqual([]);
  });
});

const FAR = { key: 'zzqqzzqq', meant: undefined };

/** Its second and third letters change places, or its last is left out. */
function misspelt(name: string): string {
  const [a = '', b = '', c = ''] = name;
  return name.length > 3 && b !== c ? a + c + b + name.slice(3) : `${name}s`;
}

/** The numbers next to its bounds. */
function beyond(schema: Field['schema']): readonly number[] {
  return shapesOf(schema)
    .flatMap(boundsOf)
    .flatMap((bound) => [bound - 1, bound + 1]);
}

/** Then what stands in it is wrong, and not that it is one. */
function mayBeObject(schema: Field['schema']): boolean {
  return shapesOf(schema).some((shape) => ['object', 'record'].includes(shape._zod.def.type));
}

function isObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
