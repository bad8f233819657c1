/** Walks a schema: every field that a file may have, each in a file that is right. */
import * as z from 'zod';

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };
type Path = readonly (string | number)[];

export interface Field {
  readonly path: Path;
  /** What may stand there. */
  readonly schema: z.core.$ZodType;
  readonly isRequired: boolean;
  /** A file that has it, and is right. */
  readonly file: Json;
}

/** An object in a file that is right, and the names that its members may have. */
export interface Holder {
  readonly path: Path;
  readonly members: readonly string[];
  readonly file: Json;
}

export interface Walk {
  readonly fields: readonly Field[];
  readonly holders: readonly Holder[];
  /** Places that no file could be made for. */
  readonly unreached: readonly string[];
}

type Inner = z.core.$ZodTypes;

/** @param faultsOf what is wrong with a file. */
export function schemaFields(
  whole: z.core.$ZodType,
  base: Json,
  faultsOf: (file: Json) => readonly string[],
): Walk {
  const fields: Field[] = [];
  const holders: Holder[] = [];
  const unreached: string[] = [];
  visit(whole, [], base);
  return { fields, holders, unreached };

  /** @param file one in which something of this schema stands at the path, or may be put there. */
  function visit(schema: z.core.$ZodType, path: Path, file: Json): void {
    for (const shape of shapesOf(schema).filter((one) => !isFunction(one))) {
      const def = (shape as Inner)._zod.def;
      const here = fits(shape, readAt(file, path)) ? file : putInto(file, path, shape);
      if (here === undefined) {
        unreached.push(`${path.join('.')}: ${def.type}`);
        continue;
      }
      if (def.type === 'object') visitMembers(def, path, { file: here, isTold: tells(schema) });
      if (def.type === 'array') visit(def.element, [...path, 0], here);
      if (def.type === 'tuple') visit(def.items[0] as z.core.$ZodType, [...path, 0], here);
      if (def.type === 'record') {
        const name = sampleOf(def.keyType) as string;
        const inRecord = [...path, name];
        const file = putInto(here, inRecord, def.valueType);
        if (file === undefined) unreached.push(inRecord.join('.'));
        else fields.push({ path: inRecord, schema: def.valueType, isRequired: false, file });
        if (file !== undefined) visit(def.valueType, inRecord, file);
      }
    }
  }

  /** @param of a file that has the object, and whether a member's absence tells of another shape. */
  function visitMembers(
    { shape, catchall }: z.core.$ZodObjectDef,
    path: Path,
    { file, isTold }: { file: Json; isTold: (name: string) => boolean },
  ): void {
    // What takes any name refuses none.
    if (catchall?._zod.def.type === 'never') {
      holders.push({ path, members: Object.keys(shape), file });
    }
    for (const [name, schema] of Object.entries(shape)) {
      const place = [...path, name];
      const isRequired = !accepts(schema, undefined) && !isTold(name);
      const has = readAt(file, place) !== undefined;
      const here =
        has || isFunction(schema)
          ? file
          : putInto(file, place, shapesOf(schema)[0] as z.core.$ZodType);
      if (here === undefined) {
        unreached.push(place.join('.'));
        continue;
      }
      fields.push({ path: place, schema, isRequired, file: here });
      visit(schema, place, here);
    }
  }

  function putInto(file: Json, path: Path, shape: z.core.$ZodType): Json | undefined {
    const sample = sampleOf(shape);
    if (sample === undefined) return undefined;
    return repaired(putAt(file, path, sample), path, shape);
  }

  function sampleAt(path: Path, file: Json): Json | undefined {
    const named = optionals(whole, path.slice(0, -1), file).find(([name]) => name === path.at(-1));
    return named && sampleOf(named[1]);
  }

  /** Does what the faults of a file ask for, a few times. */
  function repaired(file: Json, path: Path, shape: z.core.$ZodType, tries = 4): Json | undefined {
    const [fault] = faultsOf(file);
    if (fault === undefined) return file;
    if (tries === 0) return undefined;
    const [, place = '', wish = ''] = /^(\S+?): (.*)$/.exec(fault) ?? [];
    const at = place
      .split(/[.[\]]+/)
      .filter((part) => part !== '')
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    const right = valueAsked(wish) ?? (/^is missing\b/.test(wish) ? sampleAt(at, file) : undefined);
    if (right !== undefined) return repaired(putAt(file, at, right), path, shape, tries - 1);
    if (wish.includes('is already')) {
      return repaired(putAt(file, at, `${String(readAt(file, at))}2`), path, shape, tries - 1);
    }
    for (const holder of [path, path.slice(0, -1)]) {
      for (const [name, schema] of optionals(whole, holder, file)) {
        const sample = readAt(file, [...holder, name]) === undefined ? sampleOf(schema) : undefined;
        const isAsked = path.join('.') === [...holder, name].join('.');
        const more = isAsked ? undefined : putAt(file, [...holder, name], sample);
        if (more !== undefined && faultsOf(more).length === 0) return more;
      }
    }
    return undefined;
  }
}

/** What a fault says would be right, if it says so. */
function valueAsked(wish: string): Json | undefined {
  const is = /^must be (true|false)\b/.exec(wish)?.[1];
  if (is !== undefined) return is === 'true';
  const [, word, than] = /^must be (less|more|at least) (?:than )?(?:\D*\()?(\d+)/.exec(wish) ?? [];
  if (word === undefined) return undefined;
  return Number(than) + (word === 'less' ? -1 : word === 'more' ? 1 : 0);
}

/** What may stand there, each kind for itself: defaults and unions taken apart. */
export function shapesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const def = (schema as Inner)._zod.def;
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
    case 'nullable':
    case 'readonly':
      return shapesOf(def.innerType);
    case 'pipe':
      return shapesOf(def.in);
    case 'union':
      return def.options.flatMap(shapesOf);
    default:
      return [schema];
  }
}

/** Of several shapes that a word tells apart, one may do without the word. */
function tells(schema: z.core.$ZodType): (name: string) => boolean {
  const shapes = shapesOf(schema).flatMap((shape) => {
    const def = (shape as Inner)._zod.def;
    return def.type === 'object' ? [def.shape] : [];
  });
  return (name) =>
    shapes.some((shape) => {
      const inner = shape[name];
      return inner !== undefined && shapesOf(inner).some(isLiteral) && accepts(inner, undefined);
    });
}

function isLiteral(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'literal';
}

/** Names that the object at a path may have and need not. */
function optionals(
  whole: z.core.$ZodType,
  path: Path,
  file: Json,
): readonly (readonly [string, z.core.$ZodType])[] {
  let shapes: readonly z.core.$ZodType[] = shapesOf(whole);
  path.forEach((part, at) => {
    const held = readAt(file, path.slice(0, at));
    shapes = shapes.flatMap((shape) => {
      const def = (shape as Inner)._zod.def;
      if (def.type === 'array') return shapesOf(def.element);
      if (def.type !== 'object' || !hasKind(def.shape, held)) return [];
      const inner = def.shape[part];
      return inner === undefined ? [] : shapesOf(inner);
    });
  });
  const held = readAt(file, path);
  return shapes.flatMap((shape) => {
    const def = (shape as Inner)._zod.def;
    if (def.type !== 'object' || !hasKind(def.shape, held)) return [];
    return Object.entries(def.shape).filter(([, schema]) => accepts(schema, undefined));
  });
}

/** Whether an object's literals are those of a shape. */
function hasKind(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  held: Json | undefined,
): boolean {
  return Object.entries(shape).every(([name, schema]) => {
    const def = (schema as Inner)._zod.def;
    return def.type !== 'literal' || accepts(schema, readAt(held ?? null, [name]));
  });
}

/** Whether a value is of a shape, and not merely nothing. */
function fits(shape: z.core.$ZodType, value: Json | undefined): boolean {
  if (value === undefined) return false;
  const def = (shape as Inner)._zod.def;
  if (def.type === 'object') {
    return (
      typeof value === 'object' &&
      !Array.isArray(value) &&
      hasKind(def.shape, value) &&
      accepts(shape, value)
    );
  }
  return accepts(shape, value);
}

export function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}

function isFunction(schema: z.core.$ZodType): boolean {
  return accepts(schema, () => null);
}

const TEXTS = [
  'first',
  'a',
  'A',
  'https://api.example.com/a',
  './a.ts',
  '0 8 * * ? *',
  'UTC',
  'arn:aws:kms:eu-west-1:123456789012:key/a',
  '2031-06-12',
  '2031-06-12T16:00:00Z',
  '1d',
  'application/json',
];
const NUMBERS = [2, 1, 10, 100, 1_000, 0, 1_048_576, 0.5];

/** The least that a shape takes; undefined where nobody can guess it. */
function sampleOf(schema: z.core.$ZodType): Json | undefined {
  const shape = shapesOf(schema)[0] as z.core.$ZodType;
  const def = (shape as Inner)._zod.def;
  switch (def.type) {
    case 'object': {
      const required = Object.entries(def.shape).filter(([, inner]) => !accepts(inner, undefined));
      const members = required.map(([name, inner]) => [name, sampleOf(inner)] as const);
      return members.some(([, value]) => value === undefined)
        ? undefined
        : (Object.fromEntries(members) as Json);
    }
    case 'array':
      return [sampleOf(def.element) as Json];
    case 'tuple':
      return def.items.map((item, at) =>
        typeof sampleOf(item) === 'string' ? `${String(sampleOf(item))}${at}` : sampleOf(item),
      ) as Json;
    case 'record':
      return {};
    case 'literal':
      return def.values[0] as Json;
    case 'enum':
      return Object.values(def.entries)[0] as Json;
    case 'boolean':
      return [true, false].find((value) => accepts(shape, value));
    case 'number':
      return [...NUMBERS, ...boundsOf(shape)].find((value) => accepts(shape, value));
    default:
      return [...TEXTS, ...examplesIn(shape)].find((text) => accepts(shape, text));
  }
}

/** The least and the most of a number, as far as its schema says so. */
export function boundsOf(shape: z.core.$ZodType): readonly number[] {
  return (shape._zod.def.checks ?? []).flatMap(({ _zod: { def } }) =>
    'value' in def && typeof def.value === 'number' ? [def.value] : [],
  );
}

/** What a schema's own faults give for examples: they stand between quotes. */
function examplesIn(shape: z.core.$ZodType): readonly string[] {
  const { error } = z.safeParse(shape, ' ');
  return [...(error?.issues ?? [])].flatMap(({ message }) =>
    [...message.matchAll(/'([^']+)'/g)].map(([, text]) => String(text)),
  );
}

export function readAt(file: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Readonly<Record<string | number, Json>>)[part]
        : undefined,
    file,
  );
}

/** @param value undefined takes away what stands there. */
export function putAt(file: Json, path: Path, value: Json | undefined): Json {
  const [part, ...rest] = path;
  if (part === undefined) return value as Json;
  if (Array.isArray(file))
    return (file as Json[]).map((one, at) => (at === part ? putAt(one, rest, value) : one));
  const { [String(part)]: inner, ...others } = (file ?? {}) as Readonly<Record<string, Json>>;
  if (rest.length === 0 && value === undefined) return others;
  return {
    ...(file as object),
    [String(part)]: rest.length === 0 ? (value as Json) : putAt(inner ?? {}, rest, value),
  };
}
