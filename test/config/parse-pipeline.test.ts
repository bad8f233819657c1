import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { parsePipeline } from '#config/parse-pipeline';
import type { PipelineInput } from '#config/pipeline-input';
import type { pipelineSchema } from '#config/pipeline-schema';
import type { PipelineSettings } from '#config/pipeline-settings';
import { faultsOf, settingsOf, ticketsInput } from '#test/config/pipeline-input';

/** A file as JSON would hold it, so that a test may put anything anywhere. */
type Loose = { [key: string]: Loose };
const loose = (): Loose => structuredClone(ticketsInput()) as unknown as Loose;

function broken(change: (file: Loose) => void): readonly string[] {
  const file = loose();
  change(file);
  return faultsOf(file);
}
const put = (file: Loose, key: string, value: unknown) => {
  file[key] = value as Loose;
};

describe('what is left out has a default', () => {
  const settings = settingsOf({
    name: 'least',
    source: {
      url: 'https://api.example.com/things',
      records: 'things',
      pagination: { kind: 'offset', param: 'offset' },
      incremental: { param: 'since', field: 'at' },
      pageSize: { param: 'n', value: 10 },
    },
    schedule: { everyMinutes: 1 },
    record: { key: 'ids.thing', version: 'at', eventTime: 'at' },
    stream: { load: { onDemand: true } },
    consumers: [{ kind: 'table', name: 'things' }],
  } satisfies PipelineInput);

  test('a source is open, takes ISO 8601, is inclusive and ordered', () => {
    expect(settings.source).toMatchObject({
      auth: { kind: 'none' },
      query: {},
      timeoutSec: 20,
      pagination: { first: 0 },
      incremental: {
        fieldFormat: 'iso',
        format: 'iso',
        horizonSec: 90,
        inclusive: true,
        ordered: true,
      },
    });
  });

  test('a person is called when records are a quarter of an hour old, or three polls did nothing', () => {
    expect(settings.alarms).toEqual({ iteratorAgeMinutes: 15, staleIntervals: 3 });
  });

  test('a dot path alone is a timestamp in ISO 8601', () => {
    expect(settings.record.version).toEqual({ field: 'at', format: 'iso' });
    expect(settings.record.eventTime).toEqual({ field: 'at', format: 'iso' });
  });

  test('the key decides the shard', () => {
    expect(settings.record.partitionBy).toBe('ids.thing');
  });

  test('a stream keeps a week, in records of a mebibyte', () => {
    expect(settings.stream).toMatchObject({ retentionHours: 168, recordBytesMax: 1_048_576 });
  });

  test('a consumer gives up, after finite tries and well before records leave the stream', () => {
    const [consumer] = settings.consumers;
    expect(consumer!.retryAttempts).toBeUndefined();
    expect(consumer!.recordAgeMaxHours).toBeLessThan(settings.stream.retentionHours);
  });

  test('a tombstone stands longer than anything can be replayed or redriven', () => {
    const replayDays = settings.stream.retentionHours / 24 + settings.quarantine.keptDays;
    const [consumer] = settings.consumers;
    expect(consumer?.kind === 'table' && consumer.tombstoneDays).toBeGreaterThan(replayDays);
  });
});

test('what is written is kept', () => {
  const { map: _, ...written } = ticketsInput();
  expect(settingsOf(written)).toMatchObject({
    ...written,
    record: { ...written.record, eventTime: { field: 'changed_at', format: 'iso' } },
  });
});

test('settings are plain data, and the map stands beside them', () => {
  const map = () => null;
  const parsed = parsePipeline(ticketsInput({ map }));
  expect(parsed).toMatchObject({ kind: 'pipeline', map });
  const { settings } = parsed as Extract<typeof parsed, { kind: 'pipeline' }>;
  expect(JSON.parse(JSON.stringify(settings))).toEqual(settings);
});

test('the types of the file are the types of the schema', () => {
  type Settled = DeepReadonly<Omit<z.output<typeof pipelineSchema>, 'map'>>;
  const settled: Settled extends PipelineSettings ? true : false = true;
  const whole: PipelineSettings extends Settled ? true : false = true;
  type Accepted = DeepReadonly<z.input<typeof pipelineSchema>>;
  const accepted: PipelineInput extends Accepted ? true : false = true;
  const offered: Accepted extends PipelineInput ? true : false = true;
  expect([settled, whole, accepted, offered]).toEqual([true, true, true, true]);
});

type DeepReadonly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Member in keyof T]: DeepReadonly<T[Member]> }
    : T;

describe('an unknown key', () => {
  test('is named with its path and the key that was meant', () => {
    const faults = broken(({ source }) => {
      put(source!['pagination']!, 'nxt', source!['pagination']!['next']);
      delete source!['pagination']!['next'];
    });
    expect(faults).toEqual(["source.pagination.nxt: unknown key; did you mean 'next'?"]);
  });

  test('that is like no other is answered with the keys there are', () => {
    const faults = broken((file) => put(file['schedule']!, 'zzzzzzzzzzzzzzzzzzz', 1));
    expect(faults).toEqual(['schedule.zzzzzzzzzzzzzzzzzzz: unknown key; valid here: everyMinutes']);
  });

  const places = ['', ...objectPaths(loose(), '')].filter((path) => path !== 'source.query');

  test('is never ignored, wherever it stands', () => {
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.constantFrom(1, 'x', null, {}), (path, value) => {
        const file = loose();
        put(at(file, path), 'qqqqqqqqqqqqqqqq', value);
        const full = written(path, 'qqqqqqqqqqqqqqqq');
        expect(faultsOf(file)).toEqual([expect.stringContaining(`${full}: unknown key; `)]);
      }),
    );
  });

  test('is found beside every other fault', () => {
    const faults = broken((file) => {
      put(file, 'nmae', 'x');
      put(file['source']!['auth']!, 'kid', 1);
      put(file['stream']!['load']!, 'recordByteMean', 1);
      put(file['consumers']![0 as never]!, 'batchsize', 1);
    });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'source.auth.kid',
      'stream.load.recordByteMean',
      'consumers[0].batchsize',
      'nmae',
    ]);
  });
});

describe('a wrong value is a sentence that begins with its path', () => {
  test.each<[string, unknown, string]>([
    ['name', 'Tickets', 'name: must be 1 to 31 of a–z, 0–9 and hyphens, a letter first'],
    ['source.url', 'api/x', 'source.url: must be an absolute URL'],
    ['source.url', 'ftp://a/b', 'source.url: must be an http(s) URL'],
    ['source.url', 'https://me:pw@a/b', 'source.url: must hold no user name or password'],
    ['source.url', 7, 'source.url: must be text or an object'],
    ['source.url.env', 'AWS_REGION', 'source.url.env: is a name that the runtime reserves'],
    ['source.records', 'a..b', "source.records: must be a dot path such as 'properties.updated'"],
    ['source.records', undefined, 'source.records: is missing'],
    [
      'source.auth.kind',
      'digest',
      "source.auth.kind: must be 'none', 'bearer', 'api-key', 'basic' or 'oauth2'",
    ],
    ['source.pageSize.value', 0, 'source.pageSize.value: must be at least 1'],
    ['source.pageSize.value', '9', 'source.pageSize.value: must be a number'],
    ['source.pageSize.value', 2.5, 'source.pageSize.value: must be a whole number'],
    ['source.incremental.ordered', 'no', 'source.incremental.ordered: must be true or false'],
    [
      'source.incremental.format',
      'unix',
      "source.incremental.format: must be 'iso', 'epoch-s', 'epoch-ms', 'epoch-us', 'date', 'local' or 'iso-s'",
    ],
    ['stream.retentionHours', 9_000, 'stream.retentionHours: must be at most 8760'],
    ['stream.recordBytesMax', 1_048_577, 'stream.recordBytesMax: must be a multiple of 1024'],
    ['stream.load.recordBytesMean', 0, 'stream.load.recordBytesMean: must be more than 0'],
    [
      'stream.kmsKeyArn',
      'alias/x',
      "stream.kmsKeyArn: must be a KMS key's ARN (a key, not an alias)",
    ],
    ['consumers', [], 'consumers: must name at least one consumer'],
    ['consumers.0.name', 'poll', "consumers[0].name: 'poll' is a reserved name"],
    [
      'record.key',
      '_version',
      "record.key: '_version' is an attribute that Penstock writes itself",
    ],
    ['map', 'upper', 'map: must be a function'],
    ['map', async () => null, 'map: must answer at once: it is async, and a promise is no record'],
  ])('%s: %j', (path, value, sentence) => {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    expect(broken((file) => put(at(file, keys.join('.')), last, value))).toEqual([sentence]);
  });

  test('a cron without a time zone, and one that no one knows, are refused', () => {
    expect(broken((file) => put(file, 'schedule', { cron: '0 8 * * ? *' }))).toEqual([
      'schedule.timeZone: is missing',
    ]);
    const where = { cron: '0 8 * * ? *', timeZone: 'Europe/Londn' };
    expect(broken((file) => put(file, 'schedule', where))).toEqual([
      "schedule.timeZone: must be an IANA time zone such as 'Europe/London'",
    ]);
  });

  test('a schedule both counted in minutes and by a cron is refused', () => {
    const sentence = 'schedule: takes everyMinutes, or cron with timeZone, not both';
    const cron = { cron: '0 8 * * ? *', timeZone: 'Europe/London' };
    const both = [
      { everyMinutes: 5, ...cron },
      { everyMinutes: 5, cron: 'x' },
    ];
    for (const schedule of both) {
      expect(broken((file) => put(file, 'schedule', schedule))).toEqual([sentence]);
    }
  });

  test('CDK-01: capacity both counted and on demand is refused', () => {
    expect(broken((file) => put(file['stream']!['load']!, 'onDemand', true))).toEqual([
      "stream.load: is counted or on demand, not both: leave out 'onDemand' or everything else",
    ]);
    const load = { onDemand: true, shardCount: 3 };
    expect(broken((file) => put(file['stream']!, 'load', load))).toEqual([
      'stream.load.shardCount: unknown key; valid here: onDemand',
    ]);
  });

  test.each([undefined, null, 5, 'x', []])('a file that exports %j is refused', (value) => {
    expect(faultsOf(value)).toHaveLength(1);
  });
});

describe('settings that contradict one another', () => {
  test('a record is given up before it leaves the stream', () => {
    const faults = broken((file) => put(file['consumers']![0 as never]!, 'recordAgeMaxHours', 96));
    expect(faults).toEqual([
      'consumers[0].recordAgeMaxHours: must be less than stream.retentionHours (96): records would leave the stream unseen',
    ]);
  });

  test.each([
    [23, 1],
    [24, 0],
  ])('of 4 days in the stream and 19 in quarantine, %i days of tombstone make %i fault', (d, n) => {
    const faults = broken((file) => put(file['consumers']![0 as never]!, 'tombstoneDays', d));
    expect(faults).toHaveLength(n);
  });

  test('two consumers share no name', () => {
    const faults = broken((file) => {
      const [first] = file['consumers'] as unknown as Loose[];
      put(file, 'consumers', [first, { ...first, batchSize: 9 }]);
    });
    expect(faults).toEqual(["consumers[1].name: 'board' is already the name of consumers[0]"]);
  });

  test('one request ends before its poll', () => {
    expect(broken((file) => put(file['poll']!, 'timeoutSec', 17))).toEqual([
      'source.timeoutSec: must be less than poll.timeoutSec (17)',
    ]);
  });

  test('one variable has one default', () => {
    const faults = broken((file) =>
      put(file['source']!['query']!, 'group', { env: 'TICKETS_TEAM', default: 'none' }),
    );
    expect(faults).toEqual([
      'source.query.group.default: TICKETS_TEAM already has another default in this file',
    ]);
  });

  test('are found although another part is malformed', () => {
    const faults = broken((file) => {
      put(file, 'schedule', { everyMinute: 1 });
      put(file['consumers']![0 as never]!, 'tombstoneDays', 1);
    });
    expect(faults).toHaveLength(2);
  });
});

function objectPaths(value: Loose, path: string): string[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner !== 'object' || inner === null) return [];
    const here = path === '' ? key : `${path}.${key}`;
    return [...(Array.isArray(inner) ? [] : [here]), ...objectPaths(inner, here)];
  });
}

function at(file: Loose, path: string): Loose {
  return path === '' ? file : path.split('.').reduce((here, key) => here[key]!, file);
}

/** As a person reads it: `consumers.0.name` is `consumers[0].name`. */
function written(path: string, key: string): string {
  return (path === '' ? key : `${path}.${key}`).replaceAll(/\.(\d+)/g, '[$1]');
}
