/** Asks a pipeline's own places how it stands. */
import { dynamoBackfillStore } from '#adapters/dynamodb/backfill-store';
import { dynamoPollControl } from '#adapters/dynamodb/poll-control';
import { breakerStore } from '#cli/breaker';
import type { Connection } from '#cli/connection';
import { measureLag } from '#cli/measure-lag';
import { openQuarantine } from '#cli/quarantine/open-quarantine';
import { restingIn } from '#cli/quarantine/entries';
import { sentenceOf } from '#cli/render/error';
import { pollSpanSec } from '#config/poll-span';
import { stageNames } from '#config/resource-names';
import { decodeCursor } from '#core/source/cursor-text';
import type { PollStanding } from '#ports/poll-control';
import { backfillStanding } from './backfill-standing.ts';
import { isDeployed } from './is-deployed.ts';
import type {
  ConsumerStanding,
  PipelineStanding,
  SourceStanding,
  StandingAsk,
} from './pipeline-standing.ts';

/** Beyond so many objects the count is left open: who has as many knows enough. */
const OBJECTS_MAX = 5_000;

/** Read all at once; what cannot be read is a fault, and the rest is told all the same. */
export async function readStanding(
  connection: Connection,
  ask: StandingAsk,
): Promise<PipelineStanding> {
  const faults = new Set<string>();
  const told = async <T>(reading: Promise<T>): Promise<T | null> => {
    try {
      return await reading;
    } catch (error) {
      faults.add(sentenceOf(error));
      return null;
    }
  };
  const [source, consumers, quarantined, backfill] = await Promise.all([
    told(readSource(connection, ask)),
    told(readConsumers(connection, ask)),
    told(countQuarantined(connection, ask)),
    told(readBackfill(connection, ask)),
  ]);
  const read = { source, consumers, quarantined, backfill };
  const { name } = ask.pipeline;
  // Its stage is there, and it is not.
  if (source !== null && faults.size > 0 && !(await isDeployed(connection, ask))) {
    const nothing = { source: null, consumers: null, quarantined: null, backfill: null };
    return { pipeline: name, deployed: false, faults: [], ...nothing };
  }
  return { pipeline: name, deployed: true, faults: [...faults], ...read };
}

async function readSource(
  { dynamodb }: Connection,
  { stage, pipeline: { name, schedule, alarms } }: StandingAsk,
): Promise<SourceStanding> {
  const tableName = stageNames(stage).stateTable;
  const item = await dynamoPollControl(dynamodb, { tableName }).read(name);
  const staleMs = pollSpanSec(schedule, alarms.staleIntervals) * 1_000;
  return sourceStanding(item, { nowMs: Date.now(), staleMs });
}

/**
 * What a poller's item tells at `nowMs`; it is stale when
 * its last success, or its first poll where none succeeded, is `staleMs` ago.
 */
export function sourceStanding(
  item: PollStanding | undefined,
  { nowMs, staleMs }: { readonly nowMs: number; readonly staleMs: number },
): SourceStanding {
  const { boundary, run } = decodeCursor(item?.cursor);
  const savedAtMs = item?.savedAtMs;
  // A cursor that was set by hand was reached by no poll yet.
  const caughtUp = item?.cursor !== undefined && run === null && savedAtMs !== undefined;
  const coveredToMs = caughtUp ? savedAtMs : boundary === null ? undefined : Date.parse(boundary);
  const parkedUntilMs = item !== undefined && item.notBeforeMs > nowMs ? item.notBeforeMs : null;
  const paused = item?.pause ?? null;
  const sinceMs = item?.succeededAtMs ?? item?.firstAtMs;
  const { end } = item ?? {};
  const heldBack = end?.outcome === 'held-back' && nowMs - end.atMs <= staleMs;
  const isOld = sinceMs !== undefined && nowMs - sinceMs > staleMs;
  return {
    savedAtMs: savedAtMs ?? null,
    succeededAtMs: item?.succeededAtMs ?? null,
    endedAtMs: item?.end?.atMs ?? null,
    outcome: item?.end?.outcome ?? null,
    detail: item?.end?.detail ?? null,
    caughtUp,
    stale: isOld && parkedUntilMs === null && paused === null && !heldBack,
    behindMs: coveredToMs === undefined ? null : Math.max(0, nowMs - coveredToMs),
    parkedUntilMs,
    failing: item?.failing ?? null,
    paused,
    heldBack,
  };
}

function readBackfill({ dynamodb }: Connection, { stage, pipeline, where }: StandingAsk) {
  const store = dynamoBackfillStore(dynamodb, { tableName: stageNames(stage).stateTable });
  return backfillStanding(store, pipeline.name, { nowMs: Date.now(), where });
}

async function readConsumers(
  connection: Connection,
  { stage, pipeline }: StandingAsk,
): Promise<readonly ConsumerStanding[]> {
  return Promise.all(
    pipeline.consumers.map(async ({ name }) => {
      const of = { pipeline: pipeline.name, consumer: name };
      const [shards, { open }] = await Promise.all([
        measureLag(connection, { stage, ...of }),
        breakerStore(connection, stage).read(of),
      ]);
      return {
        name,
        behindMs: Math.max(0, ...shards.map(({ behindMs }) => behindMs)),
        behindRecords: shards.reduce<number | null>(
          (sum, { behindRecords }) =>
            sum === null || behindRecords === null ? null : sum + behindRecords,
          0,
        ),
        stopped: open ?? null,
      };
    }),
  );
}

async function countQuarantined(connection: Connection, { stage, pipeline }: StandingAsk) {
  const bucket = await openQuarantine(connection, { stage, pipeline });
  let objects = 0;
  for await (const _ of restingIn(bucket)) {
    objects += 1;
    if (objects >= OBJECTS_MAX) break;
  }
  return { objects, more: objects >= OBJECTS_MAX };
}
