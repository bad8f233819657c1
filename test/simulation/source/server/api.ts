/** A simulated source: what it answers to a request, and what it holds against who asks. */
import type { Dice } from '#test/simulation/dice';
import { stepOf } from './moments.ts';
import type { TimeKind } from './moments.ts';
import type { PagingKind, Served } from './paging.ts';
import { tokenPlaces } from './places.ts';
import { compareRows } from './row.ts';
import type { Row, RowOrder } from './row.ts';
import type { SourceRows } from './rows.ts';
import type { AnswerShape } from './shapes.ts';
import { FEED_SHAPE } from './shapes.ts';
import { askedWait } from './waits.ts';
import { FEED_PATH } from './deletes.ts';

export interface ApiRules {
  readonly paging: PagingKind;
  readonly order: RowOrder;
  readonly shape: AnswerShape;
  /** How the boundary is written, and whether a row at it is answered. */
  readonly since: {
    readonly time: TimeKind;
    readonly isInclusive: boolean;
    readonly comparesTicks: boolean;
  };
  /** A row at the end that was asked for is answered. */
  readonly endsInclude: boolean;
  readonly time: TimeKind;
  readonly skewMs: number;
  readonly isDated: boolean;
  /** Rows of a page, whatever is asked for. */
  readonly cap: number;
  readonly tokenLifeMs: number;
  /** A status says too little: an answer names the kind of its error. */
  readonly tellsKinds: boolean;
  /** What stands where there is no next page, as JSON. */
  readonly over: string;
  /** Rows without a moment are answered whatever the boundary. */
  readonly alwaysShowsNulls: boolean;
  readonly bearer: boolean;
  /** By what it tells that nothing has changed. */
  readonly validator: 'none' | 'etag' | 'last-modified';
  /** How the feed of deletes pages, if there is one. */
  readonly feed: PagingKind | undefined;
  /** Once in so many requests; 0 never. */
  readonly faults: ApiFaults;
}

export interface ApiFaults {
  readonly busy: number;
  readonly broken: number;
  readonly cut: number;
  readonly silent: number;
  readonly slow: number;
  readonly strange: number;
  readonly moved: number;
  readonly rotates: number;
  readonly expires: number;
}

export const CALM: ApiFaults = {
  busy: 0,
  broken: 0,
  cut: 0,
  silent: 0,
  slow: 0,
  strange: 0,
  moved: 0,
  rotates: 0,
  expires: 0,
};

export type ApiAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
      /** So much of the text comes; then the connection breaks, or ends as if all had come. */
      readonly cut?: { readonly at: number; readonly isQuiet: boolean };
      readonly afterMs: number;
      /** No request may come before, once this is heard. */
      readonly notBeforeMs?: number;
    }
  | { readonly kind: 'dropped'; readonly afterMs: number }
  | { readonly kind: 'silent' };

export interface SimulatedApi {
  answer(url: URL, headers: Headers): ApiAnswer;
  /** From now on all is well. */
  calm(): void;
  readonly secret: () => string;
  /** No request may come before. */
  notBeforeMs: number;
  readonly requests: () => number;
  /** What was asked against what was agreed. */
  readonly complaints: readonly string[];
}

export interface ApiWorld {
  readonly rows: SourceRows;
  readonly nowMs: () => number;
  readonly dice: Dice;
  readonly note: (what: string) => void;
  /** Is told of each request, before it is answered. */
  readonly onRequest: () => void;
}

export function simulatedApi(
  rules: ApiRules,
  { rows, nowMs, dice, note, onRequest }: ApiWorld,
): SimulatedApi {
  const { paging, shape } = rules;
  const complaints: string[] = [];
  let faults = rules.faults;
  const places = tokenPlaces(nowMs, () => (faults === CALM ? Infinity : rules.tokenLifeMs));
  let requests = 0;
  let turn = 1;
  const api: SimulatedApi = {
    answer,
    calm: () => void (faults = CALM),
    secret: () => `s${turn}`,
    notBeforeMs: 0,
    requests: () => requests,
    complaints,
  };
  return api;

  function does(what: keyof ApiFaults): boolean {
    if (faults[what] === 0 || !dice.once(faults[what])) return false;
    note(what);
    return true;
  }

  function answer(url: URL, headers: Headers): ApiAnswer {
    requests++;
    onRequest();
    if (nowMs() < api.notBeforeMs)
      complaints.push(`asked ${api.notBeforeMs - nowMs()} ms too early`);
    if (does('rotates')) turn++;
    const afterMs = does('slow') ? 200 + dice.below(4_000) : dice.below(120);
    if (does('silent')) return { kind: 'silent' };
    if (does('broken')) return brokenAnswer(afterMs);
    if (does('busy')) return busyAnswer(afterMs);
    const shown = (
      status: number,
      text: string,
      more: Readonly<Record<string, string>> = {},
    ): Extract<ApiAnswer, { kind: 'answer' }> => ({
      kind: 'answer',
      status,
      headers: headersOf({ 'content-type': 'application/json', ...more }),
      text,
      afterMs,
    });
    if (rules.bearer && headers.get('authorization') !== `Bearer s${turn}`) return shown(401, '{}');
    if (does('moved')) return shown(307, '', { location: url.href });
    if (does('strange')) {
      const status = dice.pick([200, 200, 403, 404]);
      return shown(status, dice.pick(['<html>', shape.strangeText]));
    }
    const token = paging.isFeed ? url.searchParams.get('since') : null;
    if (token !== null && token !== '0' && does('expires')) {
      return rules.tellsKinds ? shown(400, '{"error":{"code":"TOO_OLD"}}') : shown(410, '{}');
    }
    if (rules.tellsKinds && does('strange')) return shown(400, '{"error":{"code":"BAD"}}');
    const served = tryServe(url);
    if (served.kind === 'unknown place') return shown(dice.pick([400, 404, 410]), '{}');
    const form = isFeed(url) ? FEED_SHAPE : shape;
    const text = form.write(served.rows, served.members ?? {});
    const validators = validatorsOf(text);
    if (isUnchanged(headers, validators)) {
      note('unchanged');
      return shown(304, '', validators);
    }
    const whole = shown(200, text, { ...served.headers, ...validators });
    if (!does('cut')) return whole;
    const at = dice.below(text.length);
    // Lines that end early are lines, unless the last is torn.
    const isTorn = form.name !== 'lines' || (at > 0 && !text.slice(at - 1, at + 1).includes('\n'));
    return { ...whole, cut: { at, isQuiet: isTorn && dice.once(2) } };
  }

  function tryServe(url: URL): Served {
    try {
      return serve(url);
    } catch (error) {
      complaints.push(`${url.search}: ${String(error)}`);
      return { kind: 'unknown place' };
    }
  }

  function validatorsOf(text: string): Readonly<Record<string, string>> {
    if (rules.validator === 'etag') return { etag: `W/"${fingerprint(text)}"` };
    if (rules.validator === 'none') return {};
    return { 'last-modified': new Date(rows.changedMs(nowMs()) + rules.skewMs).toUTCString() };
  }

  function isUnchanged(headers: Headers, validators: Readonly<Record<string, string>>): boolean {
    const [tag, since] = [headers.get('if-none-match'), headers.get('if-modified-since')];
    if (tag !== null) return tag === validators['etag'];
    return since !== null && Date.parse(validators['last-modified'] ?? '') <= Date.parse(since);
  }

  function isFeed(url: URL): boolean {
    return url.pathname === FEED_PATH && rules.feed !== undefined;
  }

  function serve(url: URL): Served {
    const params = url.searchParams;
    if (params.getAll('team').join() !== 'a&b')
      complaints.push(`the fixed parameter came as ${params.getAll('team').join()}`);
    const kind = isFeed(url) ? (rules.feed as PagingKind) : paging;
    const asked = kind.name === 'none' ? Infinity : Number(params.get('limit'));
    if (!(asked >= 1)) complaints.push(`the page size came as ${params.get('limit')}`);
    const since = params.get('since');
    const from = since === null || paging.isFeed ? undefined : rules.since.time.read(since);
    const before = params.get('before');
    const to = before === null ? undefined : rules.since.time.read(before);
    const isAskedFor = (row: Row) => isAfter(row, from) && isBefore(row, to);
    const listed = isFeed(url) ? rows.gone(nowMs()) : rows.shown(nowMs());
    const order = isFeed(url) ? 'oldest first' : rules.order;
    const all = listed.toSorted((a, b) => compareRows(order, a, b));
    return kind.serve({
      url,
      size: Math.min(asked, rules.cap),
      order,
      all,
      rows: all.filter(isAskedFor),
      isAskedFor,
      places,
      over: rules.over,
      time: rules.time,
      dice,
    });
  }

  function isBefore({ at }: Row, to: bigint | undefined): boolean {
    return to === undefined || at === undefined || (rules.endsInclude ? at <= to : at < to);
  }

  function isAfter({ at }: Row, from: bigint | undefined): boolean {
    if (from === undefined) return true;
    if (at === undefined) return rules.alwaysShowsNulls;
    const { time, isInclusive, comparesTicks } = rules.since;
    const compared = comparesTicks ? stepOf(at, time.step) : at;
    return isInclusive ? compared >= from : compared > from;
  }

  function busyAnswer(afterMs: number): ApiAnswer {
    const wait = askedWait(nowMs(), rules, dice);
    note(`waits: ${wait.name}`);
    const inBody = dice.once(3);
    const status = inBody ? 200 : 'retry-after' in wait.headers ? dice.pick([429, 503]) : 429;
    const { notBeforeMs } = wait;
    const text = inBody ? shape.errorText : '';
    return { kind: 'answer', status, headers: headersOf(wait.headers), text, afterMs, notBeforeMs };
  }

  function brokenAnswer(afterMs: number): ApiAnswer {
    if (dice.once(3)) return { kind: 'dropped', afterMs };
    const status = dice.pick([500, 502, 503, 408]);
    return { kind: 'answer', status, headers: headersOf({}), text: 'oh', afterMs };
  }

  /** Dated when it is sent. */
  function headersOf(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    if (!rules.isDated) return headers;
    return { ...headers, date: new Date(nowMs() + rules.skewMs).toUTCString() };
  }
}

/** @source FNV-1a. */
function fingerprint(text: string): string {
  let bits = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  return (bits >>> 0).toString(16);
}
