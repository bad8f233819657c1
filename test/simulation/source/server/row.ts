/** One row of a simulated source, as a listing may show it. */
export interface Row {
  /** What the table is to know it by. */
  readonly key: string;
  /** What a listing by id is ordered by: no two rows share it. */
  readonly place: bigint | string;
  /** Rises with every change of the source: of a key's rows, the highest is the newest. */
  readonly n: number;
  /** Undefined where the row holds none. */
  readonly at: bigint | undefined;
  readonly isDeleted: boolean;
  /** No record: it belongs into quarantine. */
  readonly isPoison: boolean;
  /** Its members as JSON, as the table or the quarantine is to hold them. */
  readonly text: string;
}

/** In which order a listing stands. */
export type RowOrder = 'oldest first' | 'newest first' | 'by id' | 'by change';

/** Negative where `a` stands before `b`. */
export function compareRows(order: RowOrder, a: Row, b: Row): number {
  const byPlace = compare(a.place, b.place);
  if (order === 'by id') return byPlace;
  if (order === 'by change') return a.n - b.n;
  const byTime = compare(a.at ?? 0n, b.at ?? 0n) || byPlace;
  return order === 'oldest first' ? byTime : -byTime;
}

function compare(a: bigint | string, b: bigint | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
