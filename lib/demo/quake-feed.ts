/** A week of earthquakes, each measured and later revised, as it stands at a moment. */

export interface Quake {
  readonly id: string;
  readonly timeMs: number;
  readonly updatedMs: number;
  readonly magnitude: number | null;
  readonly text: string;
}

export interface QuakeFeed {
  readonly startMs: number;
  readonly endMs: number;
  /** Every event known at this moment, in its newest version, in the order of its time. */
  at(nowMs: number): readonly Quake[];
  /** Versions published up to this moment. */
  versionsAt(nowMs: number): number;
  readonly versions: number;
}

interface Feature {
  readonly id: string;
  readonly properties: {
    readonly time: number;
    readonly updated: number;
    readonly mag: number | null;
  };
}

/**
 * Build the feed of a GeoJSON collection.
 *
 * The collection holds last versions only. The first version of each event is made up and says so
 * (`properties.synthetic`): it appears at the event's time, its magnitude a little off.
 */
export function quakeFeed(collectionText: string): QuakeFeed {
  const { features } = JSON.parse(collectionText) as { features: readonly Feature[] };
  const pairs = features
    .map((feature) => ({ first: toQuake(firstVersion(feature)), last: toQuake(feature) }))
    .sort((one, other) => one.first.timeMs - other.first.timeMs);
  const startMs = Math.min(...pairs.map(({ first }) => first.timeMs));
  const endMs = Math.max(...pairs.map(({ last }) => last.updatedMs));
  const at = (nowMs: number): Quake[] =>
    pairs
      .filter(({ first }) => first.timeMs <= nowMs)
      .map(({ first, last }) => (last.updatedMs <= nowMs ? last : first));
  return {
    startMs,
    endMs,
    at,
    versions: pairs.length * 2,
    versionsAt: (nowMs) =>
      at(nowMs).reduce((sum, { timeMs, updatedMs }) => sum + (updatedMs === timeMs ? 1 : 2), 0),
  };
}

function firstVersion(feature: Feature): Feature {
  const { time, mag } = feature.properties;
  const properties = {
    ...feature.properties,
    mag: mag === null ? null : Number((mag + 0.1).toFixed(2)),
    updated: time,
    status: 'automatic',
    synthetic: true,
  };
  return { ...feature, properties };
}

function toQuake(feature: Feature): Quake {
  const { time, updated, mag } = feature.properties;
  return {
    id: feature.id,
    timeMs: time,
    updatedMs: updated,
    magnitude: mag,
    text: JSON.stringify(feature),
  };
}
