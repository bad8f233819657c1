/** Gathers what the judge needs, over the network only. */
import { listQuarantine, reasonOf } from '#cli/quarantine-reader';
import type { Connection } from '#cli/connection';
import type { ReadRecord } from '#cli/stream-reader';
import { scanAll } from '#cli/table-reader';
import { fromItem, parseDigits, textAt, valueAt } from './exact-text.ts';
import { keyOf } from './judge.ts';
import type { Evidence, RowPlaces, StreamSighting } from './judge.ts';

export interface TruthSummary {
  /** Nothing changes at the source any more. */
  readonly quiet: boolean;
  readonly changes: number;
  readonly changesPlanned: number;
  readonly rowCount: number;
  readonly malformed: number;
  readonly requests: {
    readonly waits: number;
    readonly tooEarly: number;
    readonly unavailable: number;
    readonly dropped: number;
  };
}

/** Ask a demo source how it stands, without its rows. */
export async function readTruthSummary(sourceUrl: string): Promise<TruthSummary> {
  const answer = await fetch(new URL('/truth?rows=none', sourceUrl));
  return (await answer.json()) as TruthSummary;
}

export interface GatherAsk {
  readonly connection: Connection;
  readonly sourceUrl: string;
  readonly table: string;
  readonly quarantineBucket: string;
  /** The whole stream, from its oldest record, parents before children. */
  readonly records: readonly ReadRecord[];
  readonly places: RowPlaces;
}

export async function gatherEvidence(ask: GatherAsk): Promise<Evidence> {
  const { connection, sourceUrl, table, quarantineBucket, records, places } = ask;
  const answer = await fetch(new URL('/truth', sourceUrl));
  const truth = parseDigits(await answer.text());
  const rows = valueAt(truth, 'rows');
  const keys = await listQuarantine(await connection.signed('s3'), quarantineBucket);
  return {
    rows: Array.isArray(rows) ? rows : [],
    malformed: Number(textAt(truth, 'malformed')),
    items: (await scanAll(connection.dynamodb, table)).map(fromItem),
    sightings: records.map((record) => sightingOf(record, places)),
    quarantined: keys.map(reasonOf),
    askedTooEarly: Number(textAt(truth, 'requests.tooEarly')),
  };
}

/** Read a record of the stream as the event it should be; undefined when it is none of a row. */
export function sightingOf(
  { data }: { readonly data: Uint8Array },
  places: RowPlaces,
): StreamSighting | undefined {
  try {
    const event = parseDigits(new TextDecoder('utf-8', { fatal: true }).decode(data));
    const content = valueAt(event, 'data') ?? null;
    const id = textAt(event, 'id');
    const key = keyOf(content, places);
    const change = textAt(content, places.change);
    if (id === undefined || key === undefined || change === undefined) return undefined;
    return /^\d+$/.test(change) ? { id, key, change } : undefined;
  } catch {
    // Not UTF-8, or not JSON: the judge counts it.
    return undefined;
  }
}
