/** Renders the reference page of pipeline files from their schema. */
import * as z from 'zod';
import { pipelineSchema } from './pipeline-schema.ts';

/** What of JSON Schema a setting's schema becomes. */
interface Node {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly items?: Node;
  readonly prefixItems?: readonly Node[];
  readonly additionalProperties?: Node | boolean;
}

const INTRODUCTION = `# The pipeline file

<!-- Written by \`npm run docs\` from the schema in lib/config. Do not edit. -->

Each file in \`pipelines/\` describes one pipeline: \`export default definePipeline({ … })\`. An unknown
key is an error. What has no default must be given, unless it is optional.
`;

/** The whole page, in Markdown. */
export function renderReference(): string {
  const page = z.toJSONSchema(pipelineSchema, { io: 'input', unrepresentable: 'any' }) as Node;
  const sections = Object.entries(page.properties ?? {}).map(([name, node]) => {
    const required = page.required?.includes(name) === true;
    const rows = [...(isLeaf(node) ? [row(name, node, required)] : []), ...rowsBelow(name, node)];
    const optional = required || !('default' in node) ? '' : ' It may be left out.';
    return `## \`${name}\`\n\n${node.description ?? ''}${optional}\n\n${table(rows)}`;
  });
  return [INTRODUCTION, ...sections].join('\n');
}

function table(rows: readonly string[]): string {
  const head = '| key | takes | default | meaning |\n| --- | --- | --- | --- |\n';
  return `${head}${rows.join('\n')}\n`;
}

function rowsBelow(path: string, node: Node): readonly string[] {
  if (node.items !== undefined) return rowsBelow(`${path}[]`, node.items);
  const shapes = (node.oneOf ?? node.anyOf ?? []).filter((shape) => shape.properties !== undefined);
  if (shapes.length > 0) {
    return shapes.flatMap((shape, index) => [
      ...(shapes.length > 1 ? [`| *${index === 0 ? 'either' : 'or'}* | | | |`] : []),
      ...rowsBelow(path, shape),
    ]);
  }
  return Object.entries(node.properties ?? {}).flatMap(([name, inner]) => {
    const place = `${path}.${name}`;
    return [row(place, inner, node.required?.includes(name) === true), ...rowsBelow(place, inner)];
  });
}

function row(path: string, node: Node, required: boolean): string {
  const fallback = 'default' in node ? code(node.default) : required ? 'must be given' : 'optional';
  const cells = [`\`${path}\``, takes(node), fallback, node.description ?? ''];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function takes(node: Node): string {
  if (node.const !== undefined) return code(node.const);
  if (node.enum !== undefined) return node.enum.map(code).join(', ');
  const shapes = node.oneOf ?? node.anyOf;
  if (shapes !== undefined) return [...new Set(shapes.map(takes))].join(' or ');
  switch (node.type) {
    case undefined:
      return 'function';
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return number(node);
    case 'boolean':
      return 'true or false';
    case 'array':
      if (node.prefixItems !== undefined) return 'two texts';
      return node.items?.type === 'string' ? 'texts' : 'array';
    default:
      return isMap(node) ? 'texts by name' : node.type;
  }
}

/** Of any JSON, nothing is said. */
function isMap({ additionalProperties: members }: Node): boolean {
  return typeof members === 'object' && Object.keys(members).length > 0;
}

function number({ type, minimum, maximum, multipleOf }: Node): string {
  const kind = type === 'integer' ? 'whole number' : 'number';
  const span = minimum === undefined || maximum === undefined ? '' : `, ${minimum}–${maximum}`;
  return `${kind}${span}${multipleOf === undefined ? '' : `, multiple of ${multipleOf}`}`;
}

function isLeaf(node: Node): boolean {
  return [node.properties, node.items, node.oneOf, node.anyOf].every((part) => part === undefined);
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? `'${value}'` : JSON.stringify(value)}\``;
}
