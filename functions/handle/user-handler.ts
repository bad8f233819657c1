/** The function of a handler's file, behind the port: what it is given, and what its errors mean. */
import { HandlerRefusal } from '#config/define-handler';
import type { HandledEvent, HandleRecord, HandleRun, RunContext } from '#config/define-handler';
import { isDelete } from '#core/record/decode-event';
import type { JsonObject } from '#core/record/json';
import { plainNumbers } from '#core/record/plain-numbers';
import type { StreamEvent } from '#core/record/stream-event';
import { HandlerFailed } from '#pipeline/handler-failed';
import type { Handler } from '#ports/handler';
import type { Secrets } from './secrets.ts';

/** A person reads it in one line of a log. */
const SENTENCE_LENGTH_MAX = 500;

export interface UserHandlerAsk {
  /** What the handler's file exports. */
  readonly exported: unknown;
  readonly per: Handler['per'];
  /** Names the file in errors. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: Secrets;
}

/** @throws {Error} in one sentence when the file exports something else. */
export function userHandler(ask: UserHandlerAsk): Handler {
  const { per, environment, secrets } = ask;
  const call = callOf(ask);
  return {
    per,
    async handle(events, { passage, signal, remainingMs }) {
      const context = {
        passage,
        isReplay: passage !== 'stream',
        signal,
        remainingMs,
        environment,
        secret: secrets.read,
      };
      try {
        const returned = await call(events.map(handled), context);
        // Its type forbids it; who writes no types would lose a record.
        if (returned instanceof HandlerRefusal) throw returned;
        return { kind: 'done' };
      } catch (error) {
        const sentence = secrets.hide(sentenceOf(error)).slice(0, SENTENCE_LENGTH_MAX);
        if (error instanceof HandlerRefusal) {
          return { kind: 'refused', detail: sentence, eventId: error.eventId };
        }
        secrets.doubt();
        throw new HandlerFailed(sentence);
      }
    },
  };
}

type Call = (events: readonly HandledEvent[], context: RunContext) => Promise<unknown>;

function callOf({ exported, per, file }: UserHandlerAsk): Call {
  const maker = per === 'record' ? 'defineHandler' : 'defineRunHandler';
  const isMarked = typeof exported === 'function' && 'per' in exported && exported.per === per;
  if (!isMarked) throw new Error(`${file} must export what \`${maker}\` makes, as its default`);
  // What it takes cannot be seen from here; its mark says it.
  if (per === 'key') return exported as unknown as HandleRun;
  const handle = exported as unknown as HandleRecord;
  return async ([event], context) =>
    event === undefined ? undefined : handle(event, { ...context, idempotencyKey: event.id });
}

function handled(event: StreamEvent): HandledEvent {
  const data = plainNumbers(event.data) as JsonObject;
  return { ...event, data, isDelete: isDelete(event) };
}

/** `TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:9`, in one line. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  const { name, message, cause } = error;
  const because = cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '';
  if (error instanceof HandlerRefusal) return oneLine(message) || 'the handler gave no reason';
  return oneLine(`${name}: ${message}${because}`);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
