/** What a handler's file calls, and the types it is written in. Alone, so that a bundle holds no schema. */
import type { JsonObject } from '#core/record/json';
import type { StreamEvent } from '#core/record/stream-event';

/**
 * One version of one record. The key is `subject`.
 *
 * A number of `data` that no double holds keeps its digits: it is what `JSON.rawJSON` makes.
 */
export interface HandledEvent<Data = JsonObject> extends Omit<StreamEvent, 'data'> {
  readonly data: Data;
  /** The record is gone at the source; `data` is what it last said. */
  readonly isDelete: boolean;
}

/** What a call is told beside its events. */
export interface RunContext {
  /** Why they come: by their shard, by a second reading of the stream, or out of quarantine. */
  readonly passage: 'stream' | 'replay' | 'redrive';
  /** They come out of their turn, perhaps once more: `passage` is not `stream`. */
  readonly isReplay: boolean;
  /** Aborts when the time is over: hand it to whatever is waited for. */
  readonly signal: AbortSignal;
  /** How long until then, in ms. */
  remainingMs(): number;
  /** Read one of the consumer's `secrets`; it is remembered, for a minute at least. */
  secret(name: string): Promise<string>;
  /** The consumer's `environment`. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface RecordContext extends RunContext {
  /** The event's id, for a service that knows again what it has done: the same content has the same. */
  readonly idempotencyKey: string;
}

/** Takes one record. */
export type HandleRecord<Data = JsonObject> = (
  event: HandledEvent<Data>,
  context: RecordContext,
) => Promise<void>;

/** Takes a key's records of one batch, in order. */
export type HandleRun<Data = JsonObject> = (
  events: readonly HandledEvent<Data>[],
  context: RunContext,
) => Promise<void>;

export type RecordHandler<Data = JsonObject> = HandleRecord<Data> & { readonly per: 'record' };
export type RunHandler<Data = JsonObject> = HandleRun<Data> & { readonly per: 'key' };

/**
 * Mark `handle` as a handler of single records; it is returned itself.
 *
 * When it returns, the record is done. When it throws `refuse(…)`, the record goes to quarantine;
 * when it throws anything else, or does not return in time, the record comes again, and the later
 * ones of its key wait for it. A record may come more than once.
 *
 * @example export default defineHandler(async (event) => console.log(event.subject));
 */
export function defineHandler<Data = JsonObject>(handle: HandleRecord<Data>): RecordHandler<Data> {
  return Object.assign(handle, { per: 'record' as const });
}

/** Mark `handle` as a handler of a key's runs; when it throws, nothing of the run is done. */
export function defineRunHandler<Data = JsonObject>(handle: HandleRun<Data>): RunHandler<Data> {
  return Object.assign(handle, { per: 'key' as const });
}

/** What `refuse` makes. */
export class HandlerRefusal extends Error {
  override readonly name = 'HandlerRefusal';
  /** Of the event that is refused; undefined refuses all that the call was given. */
  readonly eventId: string | undefined;

  constructor(reason: string, eventId: string | undefined) {
    super(reason);
    this.eventId = eventId;
  }
}

/**
 * Make the error that says: this can never succeed. What is refused rests in quarantine with
 * `reason`, one sentence.
 *
 * @param event which of a run; the rest of the run is handled anew without it. All, unless given.
 * @example throw refuse('the address has no country');
 */
export function refuse(reason: string, event?: { readonly id: string }): HandlerRefusal {
  return new HandlerRefusal(reason, event?.id);
}
