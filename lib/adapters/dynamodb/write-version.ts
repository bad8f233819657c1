/** One version as the request that writes it: over what may stand, or over exactly what does. */
import type { PutItemCommandInput, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { isClearing } from '#core/record/fold';
import type { TableMode } from './item-shape.ts';
import { namesIn } from './item-shape.ts';
import { REMOVED_MAX } from './known-shapes.ts';
import type { KnownShapes } from './known-shapes.ts';
import { OURS, strangeTo } from './table-item.ts';
import type { Attributes, TableItem } from './table-item.ts';

/**
 * Members that one update sets at most; more go by a put.
 *
 * @source DynamoDB, expression parameters: 4 KB an expression, 300 operators. Set and removed at their
 * most are some 3.3 KB; only the condition has operators.
 */
export const MEMBERS_MAX = 200;

export type VersionWrite =
  | { readonly kind: 'update'; readonly input: UpdateItemCommandInput }
  | { readonly kind: 'put'; readonly input: PutItemCommandInput };

/** A condition with the names and values that it speaks of. */
interface Condition {
  readonly text: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Attributes;
}

const ABSENT: Condition = {
  text: 'attribute_not_exists(#version)',
  names: { '#version': OURS.version },
  values: {},
};

/** By its version, and seen after the latest delete that had none. */
const OLDER =
  '(#version < :version OR (#version = :version AND #observed < :observed)) ' +
  'AND (attribute_not_exists(#cleared) OR #cleared < :observed)';

/** The write that does without having seen the item: over an older version of a shape that is known. */
export function writeUnseen(item: TableItem, tableName: string, known: KnownShapes): VersionWrite {
  if (isWide(item)) return put(item, tableName, { over: {}, condition: ABSENT });
  const { names, shapes, spares } = known.removalFor(item.shape);
  const clears = isClearing(item.version);
  const older = clears ? '#observed < :observed' : OLDER;
  const aliases = shapes.map((_, at) => `:shape${at}`);
  const condition = {
    text: `${spares ? `${ABSENT.text} OR ` : ''}((${older}) AND #shape IN (${aliases.join(',')}))`,
    // A name that no condition speaks of is an error.
    names: {
      ...((spares || !clears) && ABSENT.names),
      '#observed': OURS.observed,
      '#shape': OURS.shape,
      ...(!clears && { '#cleared': OURS.cleared }),
    },
    values: {
      ...(!clears && { ':version': { S: item.version.version } }),
      ':observed': { S: item.version.observed },
      ...Object.fromEntries(shapes.map((text, at) => [`:shape${at}`, { S: text }])),
    },
  };
  return update(item, tableName, { remove: names, condition });
}

/** The write over this item and no other. */
export function writeOver(
  standing: Attributes,
  item: TableItem,
  { tableName, mode }: { readonly tableName: string; readonly mode: TableMode },
): VersionWrite {
  const condition = exactly(standing);
  const names = namesStanding(standing, item, mode);
  const remove = names.filter((name) => !Object.hasOwn(item.members, name));
  return isWide(item) || remove.length > REMOVED_MAX
    ? put(item, tableName, { over: standing, condition })
    : update(item, tableName, { remove, condition });
}

export function isWide({ members }: TableItem): boolean {
  return Object.keys(members).length > MEMBERS_MAX;
}

/** The record's members in an item that stands. */
export function namesStanding(
  standing: Attributes,
  { key }: TableItem,
  mode: TableMode,
): readonly string[] {
  // Without a version nobody of ours has written it.
  if (mode === 'merge' && standing[OURS.version] === undefined) return [];
  return namesIn(strangeTo(standing, Object.keys(key)), standing[OURS.shape]?.S, mode);
}

/** Holds for the version that was seen, as it was seen. */
function exactly(standing: Attributes): Condition {
  const { [OURS.version]: version, [OURS.observed]: observed, [OURS.shape]: shape } = standing;
  if (version === undefined) return ABSENT;
  // Before there were shapes, items had none; and somebody may have taken one away.
  const as = (name: string, value: unknown): string =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}`;
  return {
    text: `#version = :version AND ${as('observed', observed)} AND ${as('shape', shape)}`,
    names: { ...ABSENT.names, '#observed': OURS.observed, '#shape': OURS.shape },
    values: {
      ':version': version,
      ...(observed && { ':observed': observed }),
      ...(shape && { ':shape': shape }),
    },
  };
}

/** Every name goes by its alias: DynamoDB reserves hundreds of words, and a name may be long. */
function update(
  { key, members, ours, now, version }: TableItem,
  TableName: string,
  { remove, condition }: { readonly remove: readonly string[]; readonly condition: Condition },
): VersionWrite {
  const set = Object.entries({ ...members, ...ours });
  const unset = [OURS.deleted, OURS.expires].filter((name) => !Object.hasOwn(ours, name));
  const gone = [...unset, ...remove];
  const setAlias = (at: number) => at.toString(36);
  const goneAlias = (at: number) => (set.length + at).toString(36);
  const sets = set.map(([name], at) => {
    const [alias, value] = [`#${setAlias(at)}`, `:${setAlias(at)}`];
    // What has no version keeps the last known.
    const keeps = isClearing(version) && name === OURS.version;
    return `${alias}=${keeps ? `if_not_exists(${alias},${value})` : value}`;
  });
  const removes = gone.map((_, at) => `#${goneAlias(at)}`);
  const first = '#first=if_not_exists(#first,:first)';
  return {
    kind: 'update',
    input: {
      TableName,
      Key: key,
      UpdateExpression: [
        `SET ${[first, ...sets].join(',')}`,
        ...(removes.length > 0 ? [`REMOVE ${removes.join(',')}`] : []),
      ].join(' '),
      ConditionExpression: condition.text,
      ExpressionAttributeNames: {
        ...condition.names,
        '#first': OURS.firstSeen,
        ...Object.fromEntries(set.map(([name], at) => [`#${setAlias(at)}`, name])),
        ...Object.fromEntries(gone.map((name, at) => [`#${goneAlias(at)}`, name])),
      },
      ExpressionAttributeValues: {
        ...condition.values,
        ':first': now,
        ...Object.fromEntries(set.map(([, value], at) => [`:${setAlias(at)}`, value])),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/** Replaces the item whole: what came first is taken over from the one that was seen. */
function put(
  { key, members, ours, now, version }: TableItem,
  TableName: string,
  { over, condition }: { readonly over: Attributes; readonly condition: Condition },
): VersionWrite {
  const { [OURS.firstSeen]: firstSeen = now, [OURS.cleared]: cleared } = over;
  const kept = isClearing(version) ? over[OURS.version] : undefined;
  const hasValues = Object.keys(condition.values).length > 0;
  return {
    kind: 'put',
    input: {
      TableName,
      Item: {
        ...members,
        ...key,
        ...(cleared && { [OURS.cleared]: cleared }),
        ...ours,
        ...(kept && { [OURS.version]: kept }),
        [OURS.firstSeen]: firstSeen,
      },
      ConditionExpression: condition.text,
      ExpressionAttributeNames: condition.names,
      ...(hasValues && { ExpressionAttributeValues: condition.values }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}
