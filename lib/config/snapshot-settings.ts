/** Settings of a source that is read as a whole. */

/** Every run reads everything. */
export interface SnapshotSettings {
  readonly kind: 'snapshot';
  /** Whether nothing is read while the first answer has not changed; where one holds everything unless given. */
  readonly conditional?: boolean | undefined;
}

/** Records of a snapshot that hold none: what was seen last is newest, and dated by when it was seen. */
export interface Observed {
  readonly observed: true;
}
