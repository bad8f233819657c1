/** What a file may say of how a source is asked for what changed. */
import { describe, expect, test } from 'vitest';
import { parseTimestamp, renderTimestamp } from '#core/record/timestamp';
import { toPollOptions } from '#functions/poll/poll-options';
import { contentDigest } from '#adapters/system/content-digest';
import { toEvent } from '#core/record/to-event';
import { UTC } from '#core/record/zone';
import { options } from '#test/pipeline/poll-world';
import { faultsOf, settingsOf, ticketsInput } from '#test/config/pipeline-input';

const withChanges = (incremental: object) => {
  const { source, ...file } = ticketsInput();
  return {
    ...file,
    source: { ...source, incremental: { ...source.incremental, ...incremental } },
  };
};
const AT = 'source.incremental';

test('windows are read with their beginning', () => {
  const until = { param: 'before', sec: 3_600 };
  const settings = settingsOf(withChanges({ start: '2031-01-01T01:00:00+01:00', until }));
  const env = { TICKETS_API_URL: 'https://api.test', TICKETS_TEAM: 'all' };
  expect(toPollOptions(settings, undefined, env).source.incremental).toMatchObject({
    start: '2031-01-01T00:00:00.000000000Z',
    until: { param: 'before', windowMs: 3_600_000 },
  });
});

test('an end may be named without windows', () => {
  expect(faultsOf(withChanges({ until: { param: 'before' } }))).toEqual([]);
});

describe('times without an offset', () => {
  const inZone = (timeZone: string, version: object = { field: 'at', format: 'integer' }) => {
    const { source, record, ...file } = withChanges({ format: 'local', fieldFormat: 'date' });
    return { ...file, source: { ...source, timeZone }, record: { ...record, version } };
  };

  test('are those of a zone', () => {
    const env = { TICKETS_API_URL: 'https://api.test', TICKETS_TEAM: 'all' };
    const { source } = toPollOptions(settingsOf(inZone('Europe/Berlin')), undefined, env);
    const { paramFormat, fieldFormat } = source.incremental!;
    const noon = parseTimestamp('2031-07-01T12:00:00Z', 'iso')!;
    expect(renderTimestamp(noon, paramFormat)).toBe('2031-07-01T14:00:00');
    expect(renderTimestamp(noon, fieldFormat!)).toBe('2031-07-01');
  });

  test('are refused of a zone that nobody knows', () => {
    expect(faultsOf(inZone('Europe/Atlantis'))).toEqual([
      "source.timeZone: must be an IANA time zone such as 'Europe/London'",
    ]);
  });

  test('are versions only where clocks are never set back', () => {
    const version = { field: 'at', format: 'local' };
    expect(faultsOf(inZone('Etc/GMT+5', version))).toEqual([]);
    expect(faultsOf(inZone('Europe/Berlin', version))).toEqual([
      "record.version.format: must not be 'local' in Europe/Berlin: where clocks are set back, a later change would be taken for an older one",
    ]);
  });
});

describe('asking for changes is refused in a sentence', () => {
  const start = '2031-01-01T00:00:00Z';
  test.each([
    [
      { start: '2031-01-01' },
      `${AT}.start: must be ISO 8601 with its offset such as '2031-01-01T00:00:00Z'`,
    ],
    [
      { until: { param: 'since' } },
      `${AT}.until.param: 'since' is already source.incremental.param`,
    ],
    [{ param: 'size' }, `${AT}.param: 'size' is already source.pageSize.param`],
    [{ until: { param: 'size' } }, `${AT}.until.param: 'size' is already source.pageSize.param`],
    [
      { until: { param: 'after' } },
      "source.pagination.param: 'after' is already source.incremental.until.param",
    ],
    [
      { until: { param: 'before', sec: 3_600 } },
      `${AT}.start: is missing: windows begin somewhere, so until.sec needs it`,
    ],
    [
      { start, horizonSec: 3_599, until: { param: 'before', sec: 3_600 } },
      `${AT}.until.sec: must be at least 3601: horizonSec (3599) and two seconds`,
    ],
    [
      { start, fieldFormat: 'date', horizonSec: 0, until: { param: 'before', sec: 86_400 } },
      `${AT}.until.sec: must be at least 172800: horizonSec (0) and two days`,
    ],
    [
      { format: 'local' },
      "source.timeZone: is missing: source.incremental.format is 'local', the time of some zone",
    ],
  ])('%j', (incremental, sentence) => {
    expect(faultsOf(withChanges(incremental))).toEqual([sentence]);
  });
});

test('a record whose local time cannot be read is refused by its format’s name', () => {
  const format = { kind: 'local', zone: UTC } as const;
  const rules = {
    ...options.rules,
    eventTime: { path: ['updated_at'], format },
  };
  const record = { order_id: 'a', updated_at: '2031-01-01T00:00:00Z' };
  const counter = { epoch: 1, counter: 1, sourceMs: 0, digest: contentDigest };
  expect(toEvent(record, rules, counter)).toMatchObject({
    kind: 'refused',
    detail: expect.stringContaining('(local)'),
  });
});
