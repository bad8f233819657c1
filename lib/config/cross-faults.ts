/** Checks that settings do not contradict one another. */
import { askingFaults } from './asking-faults.ts';
import { grantFaults } from './auth-faults.ts';
import { givenUpMinutes } from './behind-age.ts';
import { consumerSchema } from './consumer-schema.ts';
import type { Fault } from './faults.ts';
import { deletesFaults } from './deletes-faults.ts';
import { pollSchema, quarantineSchema, recordSchema } from './pipeline-schema.ts';
import type {
  ConsumerSettings,
  SourceSettings,
  StreamSettings,
  TextOrSetting,
} from './pipeline-settings.ts';
import { recordSourceFaults } from './record-source-faults.ts';
import type { PollSettings } from './poll-settings.ts';
import { requestFaults } from './request-faults.ts';
import { authTexts, isSetting } from './required-settings.ts';
import { sourceSchema } from './source-schema.ts';
import { streamSchema } from './stream-schema.ts';
import { attributeFaults, keyFaults } from './table-faults.ts';
import { timeZoneFaults } from './time-zone-faults.ts';

const HOURS_PER_DAY = 24;

/** Functions, and prefixes of the quarantine bucket, that are not a consumer's. */
const RESERVED_CONSUMERS = new Set(['poll', 'recover', 'aws', 'redriven', 'originals']);

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
    ...(source === undefined
      ? []
      : [
          ...sourceFaults(source, poll),
          ...grantFaults(source, poll),
          ...askingFaults(source),
          ...requestFaults(source),
          ...deletesFaults(source, record),
        ]),
    ...timeZoneFaults(source, record),
    ...defaultFaults(source, consumers),
    ...behindFaults(poll, consumers),
    ...(record === undefined ? [] : keyFaults(record)),
    ...(record === undefined || source === undefined ? [] : recordSourceFaults(record, source)),
    ...repeatedNames(consumers),
    ...consumers.flatMap((consumer, index) =>
      consumer === undefined
        ? []
        : [
            ...consumerFaults(consumer, stream, quarantine?.keptDays),
            ...(consumer.kind === 'table' && record !== undefined
              ? attributeFaults(consumer, record)
              : []),
          ].map(({ path, message }) => ({ path: ['consumers', index, ...path], message })),
    ),
  ];
}

function sourceFaults(
  { timeoutSec }: SourceSettings,
  poll: PollSettings | undefined,
): readonly Fault[] {
  if (poll === undefined || timeoutSec < poll.timeoutSec) return [];
  const message = `must be less than poll.timeoutSec (${poll.timeoutSec})`;
  return [{ path: ['source', 'timeoutSec'], message }];
}

/** What was given up is waited for by nobody: such a bound would never be reached. */
function behindFaults(
  poll: PollSettings | undefined,
  listed: readonly (ConsumerSettings | undefined)[],
): readonly Fault[] {
  const consumers = listed.filter((consumer) => consumer !== undefined);
  if (poll === undefined || consumers.length === 0) return [];
  const { ageMinutesMax } = poll.behind;
  const minutes = givenUpMinutes(consumers);
  if (ageMinutesMax === undefined || ageMinutesMax < minutes) return [];
  const message = `must be less than ${minutes}, the minutes of the shortest consumers[].recordAgeMaxHours: what is older is given up`;
  return [{ path: ['poll', 'behind', 'ageMinutesMax'], message }];
}

/** A variable is one parameter of the stack: it has one default. */
function defaultFaults(
  source: SourceSettings | undefined,
  consumers: readonly (ConsumerSettings | undefined)[],
): readonly Fault[] {
  const faults: Fault[] = [];
  const defaults = new Map<string, string | undefined>();
  for (const { path, value } of [...sourceTexts(source), ...consumers.flatMap(consumerTexts)]) {
    if (!isSetting(value)) continue;
    if (defaults.has(value.env) && defaults.get(value.env) !== value.default) {
      const message = `${value.env} already has another default in this file`;
      faults.push({ path: [...path, 'default'], message });
    }
    defaults.set(value.env, value.default);
  }
  return faults;
}

interface PlacedText {
  readonly path: readonly PropertyKey[];
  readonly value: TextOrSetting;
}

function sourceTexts(source: SourceSettings | undefined): readonly PlacedText[] {
  if (source === undefined) return [];
  const placed = (texts: SourceSettings['query'], ...place: readonly string[]) =>
    Object.entries(texts).map(([param, value]) => ({
      path: ['source', ...place, 'query', param],
      value,
    }));
  const query = [...placed(source.query), ...placed(source.deletes?.query ?? {}, 'deletes')];
  const auth = Object.entries(authTexts(source.auth)).map(([key, value]) => ({
    path: ['source', 'auth', key],
    value,
  }));
  const headers = Object.entries(source.request?.headers ?? {}).map(([name, value]) => ({
    path: ['source', 'request', 'headers', name],
    value,
  }));
  return [{ path: ['source', 'url'], value: source.url }, ...auth, ...query, ...headers];
}

function consumerTexts(
  consumer: ConsumerSettings | undefined,
  index: number,
): readonly PlacedText[] {
  if (consumer?.kind !== 'handler') return [];
  return Object.entries(consumer.environment).map(([name, value]) => ({
    path: ['consumers', index, 'environment', name],
    value,
  }));
}

/** Of two kinds of schedule at once, the schema would call one an unknown key. */
function scheduleFaults(schedule: unknown): readonly Fault[] {
  if (!isObject(schedule) || !('everyMinutes' in schedule)) return [];
  if (!('cron' in schedule || 'timeZone' in schedule)) return [];
  return [{ path: ['schedule'], message: 'takes everyMinutes, or cron with timeZone, not both' }];
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
  if (keptDays === undefined || consumer.kind !== 'table') return faults;
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
