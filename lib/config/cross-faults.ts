/** Checks that settings do not contradict one another. */
import { consumerSchema } from './consumer-schema.ts';
import type { Fault } from './faults.ts';
import { pollSchema, quarantineSchema, recordSchema } from './pipeline-schema.ts';
import type {
  ConsumerSettings,
  PollSettings,
  RecordSettings,
  SourceSettings,
  StreamSettings,
} from './pipeline-settings.ts';
import { isSetting } from './required-settings.ts';
import { sourceSchema } from './source-schema.ts';
import { streamSchema } from './stream-schema.ts';

const HOURS_PER_DAY = 24;

/** Attributes that a table's items hold beside the record's own. */
const OWN_ATTRIBUTES = new Set([
  '_version',
  '_observed',
  '_event_id',
  '_deleted',
  '_expires',
  '_first_seen',
  '_updated',
]);

/** Prefixes of the quarantine bucket that are not a consumer's. */
const RESERVED_CONSUMERS = new Set(['poll', 'aws']);

/**
 * Compare the parts of a pipeline file that are well formed in themselves.
 *
 * Each part is read on its own, so that a fault in one hides no contradiction in the others.
 */
export function crossFaults(value: unknown): readonly Fault[] {
  const part = (name: string): unknown => (isObject(value) ? value[name] : undefined);
  const source = sourceSchema.safeParse(part('source')).data;
  const poll = pollSchema.prefault({}).safeParse(part('poll')).data;
  const record = recordSchema.safeParse(part('record')).data;
  const stream = streamSchema.safeParse(part('stream')).data;
  const quarantine = quarantineSchema.prefault({}).safeParse(part('quarantine')).data;
  const listed = part('consumers');
  const consumers = (Array.isArray(listed) ? listed : []).map(
    (consumer) => consumerSchema.safeParse(consumer).data,
  );
  return [
    ...scheduleFaults(part('schedule')),
    ...(source === undefined ? [] : sourceFaults(source, poll)),
    ...(record === undefined ? [] : keyFaults(record)),
    ...repeatedNames(consumers),
    ...consumers.flatMap((consumer, index) =>
      consumer === undefined
        ? []
        : consumerFaults(consumer, stream, quarantine?.keptDays).map(({ path, message }) => ({
            path: ['consumers', index, ...path],
            message,
          })),
    ),
  ];
}

function sourceFaults(
  { timeoutSec, url, query }: SourceSettings,
  poll: PollSettings | undefined,
): readonly Fault[] {
  const faults: Fault[] = [];
  if (poll !== undefined && timeoutSec >= poll.timeoutSec) {
    const message = `must be less than poll.timeoutSec (${poll.timeoutSec})`;
    faults.push({ path: ['source', 'timeoutSec'], message });
  }
  const defaults = new Map(isSetting(url) ? [[url.env, url.default]] : []);
  for (const [param, value] of Object.entries(query)) {
    if (!isSetting(value)) continue;
    if (defaults.has(value.env) && defaults.get(value.env) !== value.default) {
      const message = `${value.env} already has another default in this file`;
      faults.push({ path: ['source', 'query', param, 'default'], message });
    }
    defaults.set(value.env, value.default);
  }
  return faults;
}

/** Of two kinds of schedule at once, the schema would call one an unknown key. */
function scheduleFaults(schedule: unknown): readonly Fault[] {
  if (!isObject(schedule) || !('everyMinutes' in schedule)) return [];
  if (!('cron' in schedule || 'timeZone' in schedule)) return [];
  return [{ path: ['schedule'], message: 'takes everyMinutes, or cron with timeZone, not both' }];
}

function keyFaults({ key }: RecordSettings): readonly Fault[] {
  const attribute = key.split('.').at(-1) ?? '';
  if (!OWN_ATTRIBUTES.has(attribute)) return [];
  const message = `'${attribute}' is an attribute that Penstock writes itself`;
  return [{ path: ['record', 'key'], message }];
}

function repeatedNames(consumers: readonly (ConsumerSettings | undefined)[]): readonly Fault[] {
  const names = consumers.map((consumer) => consumer?.name);
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    if (name === undefined || first === index) return [];
    const message = `'${name}' is already the name of consumers[${first}]`;
    return [{ path: ['consumers', index, 'name'], message }];
  });
}

function consumerFaults(
  consumer: ConsumerSettings,
  stream: StreamSettings | undefined,
  keptDays: number | undefined,
): readonly Fault[] {
  const faults: Fault[] = [];
  if (RESERVED_CONSUMERS.has(consumer.name)) {
    faults.push({ path: ['name'], message: `'${consumer.name}' is a reserved name` });
  }
  if (stream === undefined) return faults;
  const { retentionHours } = stream;
  if (consumer.recordAgeMaxHours >= retentionHours) {
    faults.push({
      path: ['recordAgeMaxHours'],
      message: `must be less than stream.retentionHours (${retentionHours}): records would leave the stream unseen`,
    });
  }
  if (keptDays === undefined) return faults;
  const replayDays = retentionHours / HOURS_PER_DAY + keptDays;
  if (consumer.tombstoneDays <= replayDays) {
    faults.push({
      path: ['tombstoneDays'],
      message:
        `must be more than ${replayDays}, which is stream.retentionHours and quarantine.keptDays ` +
        'together: an older version could revive a deleted key',
    });
  }
  return faults;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
