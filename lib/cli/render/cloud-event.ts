/** What happens in the local cloud, as far as a person who runs it wants to read along. */
import type { CloudEvent } from '#local/cloud-event';
import { renderFaultEvent } from './fault.ts';

type AlarmEvent = Extract<CloudEvent, { kind: 'alarm' }>;
type Fields = Readonly<Record<string, unknown>>;

/** None, or one line. */
export function renderEvent(event: CloudEvent): string[] {
  switch (event.kind) {
    case 'log':
      return renderLog(event.functionName, event.json, event.line);
    case 'invocation':
      return event.outcome === 'ok'
        ? []
        : [`${event.functionName}: failed (${event.errorType ?? 'no error type'})`];
    case 'event-given-up':
      return [
        `${event.functionName}: given up after ${event.attempts} attempts: ${event.condition}`,
      ];
    case 'call-refused':
      return event.times === 1 ? [`${event.caller}: ${event.message}`] : [];
    case 'fault-added':
    case 'fault-hit':
    case 'fault-failed':
      return [renderFaultEvent(event)];
    case 'alarm':
      return renderAlarm(event);
    case 'defect':
      return [`The local cloud has a defect: ${String(event.error)}`];
    default:
      return [];
  }
}

/** An alarm that rings, and one that rings no more; how it begins is no news. */
function renderAlarm({ name, state, reason, previous }: AlarmEvent): string[] {
  return state === 'ALARM' || previous === 'ALARM' ? [`${state} ${name}: ${reason}`] : [];
}

/** Polls that moved something, and everything from WARN on. */
function renderLog(functionName: string, json: Fields | undefined, line: string): string[] {
  if (json === undefined) return [`${functionName}: ${line}`];
  if ('_aws' in json) return [];
  const level = String(json['level'] ?? 'INFO');
  if (level === 'WARN' || level === 'ERROR' || level === 'CRITICAL') {
    return [`${functionName}: ${level} ${said(json)}`];
  }
  const ended = json['event'] === 'PollEnded' && Number(json['published']) > 0;
  return ended ? [`${functionName}: ${String(json['published'])} records published`] : [];
}

function said(json: Fields): string {
  const event = json['event'] ?? json['message'];
  if (event === 'PutIncomplete') return `${event}: ${incompleteText(json)}`;
  const why = json['detail'] ?? json['error'];
  return why === undefined
    ? String(event)
    : `${String(event)}: ${typeof why === 'string' ? why : JSON.stringify(why)}`;
}

/** @example incompleteText({ written: 488, throttled: 12 }) // '12 of 500 entries were refused (12 throttled): …' */
function incompleteText(json: Fields): string {
  const count = (name: string): number => Number(json[name] ?? 0);
  const why = ['throttled', 'failed', 'unknown'].filter((name) => count(name) > 0);
  const refused = why.reduce((sum, name) => sum + count(name), 0);
  const reasons = why.map((name) => `${count(name)} ${name}`).join(', ');
  return `${refused} of ${refused + count('written')} entries were refused (${reasons}); they are sent again`;
}
