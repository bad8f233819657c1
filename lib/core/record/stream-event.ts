/** What Penstock writes to a stream: a CloudEvents 1.0 event in JSON. */
import type { JsonObject } from './json.ts';

/**
 * One version of one record.
 *
 * @source CloudEvents 1.0.2, required attributes and the naming rule of extensions (a–z, 0–9).
 */
export interface StreamEvent {
  readonly specversion: '1.0';
  /**
   * `key@version#digest`, the version as the source wrote it: one content of one version of one
   * record has the same id everywhere and at every replay. The digest tells two changes apart that
   * a source's coarse clock gave one version: two contents, or the same content alive and deleted.
   * Of a delete without a version, `key@#digest`: its digest tells when it was seen, too.
   */
  readonly id: string;
  /** `penstock/<pipeline>`. */
  readonly source: string;
  /** `<pipeline>.upsert` or `<pipeline>.delete`. */
  readonly type: string;
  /** The record's key. */
  readonly subject: string;
  /** Event time, ISO 8601 in UTC. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** Extension: the version in its sortable form; text order is version order. Empty of a delete without one. */
  readonly version: string;
  /** Extension: lease epoch and counter, sortable; among equal versions the newest seen wins. */
  readonly observed: string;
  readonly data: JsonObject;
}
