/** Where a pipeline's requests go: to the origin of its URL, whatever else the file names. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#adapters/system/clock';
import { openPageSources } from '#functions/poll/open-page-source';
import { settingsOf, ticketsInput } from '#test/config/pipeline-input';

test('a feed of deletes is asked at its path, with the credentials of the source and parameters of its own', async () => {
  const asked: unknown[] = [];
  const server = createServer(({ url, headers: { authorization } }, response) => {
    asked.push([url, authorization]);
    response.end('{"items":[]}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const input = ticketsInput();
  const { source } = settingsOf({
    ...input,
    source: {
      ...input.source,
      deletes: {
        path: '/v2/deleted',
        records: 'items',
        pagination: { kind: 'none' },
        incremental: { param: 'since', field: 'at' },
      },
    },
  });
  const { deletes } = openPageSources(source, {
    env: { TICKETS_API_URL: `${origin}/v1/tickets?tenant=7` },
    clock: systemClock,
    openSecret: () => async () => 'tok-81',
  });
  await deletes!.fetchPage({ query: { since: '5' }, timeoutMs: 5_000 });
  expect(asked).toEqual([['/v2/deleted?since=5', 'Bearer tok-81']]);
});

test('a URL that fixes what a run asks for is refused, and not repeated', () => {
  const { source } = settingsOf(ticketsInput());
  const open = (url: string) => () =>
    openPageSources(source, {
      env: { TICKETS_API_URL: url },
      clock: systemClock,
      openSecret: () => async () => 'tok-81',
    });
  open('https://api.test/tickets?team=7')();
  expect(open('https://api.test/tickets?key=hunter2&size=20')).toThrow(
    new Error("TICKETS_API_URL holds 'size', which is already source.pageSize.param"),
  );
});
