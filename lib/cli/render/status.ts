/** How the pipelines of a stage stand, a line each. */
import type {
  BackfillStanding,
  ConsumerStanding,
  PipelineStanding,
  SourceStanding,
} from '#cli/status/pipeline-standing';
import { openJson, tripText } from './breaker.ts';
import { pauseJson } from './pause.ts';
import { columns, count, fit, isoOrNull, span } from './text.ts';

/** Nothing that could not be read looks like a good answer. */
const UNKNOWN = '?';
/** Of what is not there. */
const NOTHING = '–';

/** A line is to stay one; `--json` has all of it. */
const WHY_WIDTH = 80;

export function renderStatus(standings: readonly PipelineStanding[], nowMs: number): string[] {
  const head = ['PIPELINE', 'LAST SUCCESS', 'SOURCE', 'CONSUMERS', 'QUARANTINED', ''];
  return columns([head, ...standings.map((standing) => cellsOf(standing, nowMs))]);
}

function cellsOf(standing: PipelineStanding, nowMs: number): string[] {
  const { pipeline, deployed, faults, source, consumers, quarantined } = standing;
  if (!deployed) return [pipeline, NOTHING, 'not deployed', NOTHING, NOTHING, ''];
  return [
    pipeline,
    source === null ? UNKNOWN : agoText(source.succeededAtMs, nowMs),
    source === null ? UNKNOWN : sourceText(source, nowMs),
    consumers === null ? UNKNOWN : consumers.map(consumerText).join(', '),
    quarantined === null
      ? UNKNOWN
      : `${count(quarantined.objects)}${quarantined.more ? ' or more' : ''}`,
    [...faults, ...backfillSentences(standing)].join(' '),
  ];
}

function backfillSentences({ backfill }: PipelineStanding): string[] {
  if (backfill === null) return [];
  const { done, slices, atWork, resumeWith } = backfill;
  const told = `Backfill: ${count(done)} of ${count(slices)} slices`;
  return [atWork ? `${told}, at work.` : `${told}; it goes on with \`${resumeWith}\`.`];
}

/** Moments as ISO 8601; null where something could not be read. */
export function statusJson(standings: readonly PipelineStanding[]): object[] {
  return standings.map(({ source, consumers, backfill, ...standing }) => ({
    ...standing,
    backfill: backfill === null ? null : backfillJson(backfill),
    consumers: consumers?.map(consumerJson) ?? null,
    source: source === null ? null : sourceJson(source),
  }));
}

function backfillJson({ fromMs, toMs, ...backfill }: BackfillStanding): object {
  return { from: isoOrNull(fromMs), to: isoOrNull(toMs), ...backfill };
}

function consumerJson({ stopped, ...consumer }: ConsumerStanding): object {
  return { ...consumer, stopped: stopped === null ? null : openJson(stopped) };
}

function sourceJson({
  savedAtMs,
  succeededAtMs,
  endedAtMs,
  outcome,
  detail,
  caughtUp,
  stale,
  behindMs,
  parkedUntilMs,
  failing,
  paused,
  heldBack,
}: SourceStanding) {
  return {
    savedAt: isoOrNull(savedAtMs),
    succeededAt: isoOrNull(succeededAtMs),
    endedAt: isoOrNull(endedAtMs),
    outcome,
    detail,
    caughtUp,
    stale,
    behindMs,
    parkedUntil: isoOrNull(parkedUntilMs),
    failing:
      failing === null
        ? null
        : {
            failures: failing.count,
            since: isoOrNull(failing.sinceMs),
            parkedUntil: failing.retryAtMs === 0 ? null : isoOrNull(failing.retryAtMs),
          },
    paused: pauseJson(paused ?? undefined),
    heldBack,
  };
}

function agoText(ms: number | null, nowMs: number): string {
  return ms === null ? 'never' : `${span(Math.max(0, nowMs - ms))} ago`;
}

/** What keeps polls from running comes before what they have reached. */
function sourceText(source: SourceStanding, nowMs: number): string {
  const { behindMs, caughtUp, stale, paused, parkedUntilMs, failing, heldBack, outcome } = source;
  if (paused !== null) {
    const why = paused.reason === undefined ? '' : `: ${paused.reason}`;
    return `paused ${agoText(paused.sinceMs, nowMs)}${why}`;
  }
  if (parkedUntilMs !== null) {
    const why = whyText(source, 'parked', 'the source asked to wait');
    return `parked for ${span(parkedUntilMs - nowMs)}: ${why}`;
  }
  if (failing !== null && failing.retryAtMs > nowMs) {
    const polls = `${failing.count} polls failed since ${agoText(failing.sinceMs, nowMs)}`;
    const why = whyText(source, 'failed', 'see its log');
    return `parked for ${span(failing.retryAtMs - nowMs)}: ${polls}: ${why}`;
  }
  if (heldBack) return `held back: ${whyText(source, 'held-back', 'a consumer is behind')}`;
  if (stale) return `STALE: ${whyText(source, 'failed', 'no poll succeeds')}`;
  if (outcome === 'failed') return `last poll failed: ${whyText(source, 'failed', 'see its log')}`;
  if (caughtUp) return 'caught up';
  return behindMs === null ? 'reading from the start' : `${span(behindMs)} behind`;
}

/** What the last poll said of its end, if it ended so. */
function whyText({ outcome, detail }: SourceStanding, kind: string, otherwise: string): string {
  return outcome === kind && detail !== null ? fit(detail, WHY_WIDTH) : otherwise;
}

function consumerText(consumer: ConsumerStanding): string {
  const { name, stopped } = consumer;
  const why = stopped === null ? '' : `, STOPPED: ${tripText(stopped)}`;
  return `${name} ${behindText(consumer)}${why}`;
}

function behindText({ behindMs, behindRecords }: ConsumerStanding): string {
  if (behindRecords === 0) return '0 behind';
  return `${span(behindMs)} behind (${behindRecords === null ? 'many' : count(behindRecords)})`;
}
