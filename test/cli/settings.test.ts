import { systemClock } from '#adapters/system/clock';
import { describe, expect, test } from 'vitest';
import { openSource } from '#cli/source/open-source';
import { parameterValues, refuseUnfit, secretValues } from '#cli/cloud/settings';
import { CliError, UsageError } from '#cli/cli-error';
import { loadAll, pick, pickTable } from '#cli/load';
import type { PipelineInput } from '#config/pipeline-input';
import { handlerInput, settingsOf, ticketsInput } from '#test/config/pipeline-input';

const pipelines = await loadAll('dev');

test('parameters take the environment’s value, else the file’s default', () => {
  expect(
    parameterValues(pipelines, { ORDERS_API_URL: 'https://shop.example/orders' }),
  ).toMatchObject({
    OrdersApiUrl: 'https://shop.example/orders',
    QuakesApiUrl: 'https://earthquake.usgs.gov/fdsnws/event/1/query',
  });
});

test('every missing variable is named at once, with who needs it; an empty one is missing too', () => {
  const ORDERS_API_URL = 'https://shop.example/orders';
  const payments = { PAYMENTS_API_URL: 'https://shop.example/payments', PAYMENTS_API_TOKEN: 't' };
  expect(() => refuseUnfit(pipelines, { ORDERS_API_URL: '' })).toThrow(
    new RegExp(
      '^ORDERS_API_URL, ORDERS_API_TOKEN are not set: orders needs them\\.\\n' +
        'PAYMENTS_API_URL, PAYMENTS_API_TOKEN are not set: payments needs them\\.$',
    ),
  );
  expect(() => refuseUnfit(pipelines, { ...payments, ORDERS_API_URL })).toThrow(
    /^ORDERS_API_TOKEN is not set: orders needs it\.$/,
  );
  refuseUnfit(pipelines, { ...payments, ORDERS_API_URL, ORDERS_API_TOKEN: 't' });
});

test.each([
  ['nonsense', 'must be an absolute URL'],
  ['ftp://example.test/', 'must be an http(s) URL'],
  ['https://u:hunter2@example.test/', 'must hold no user name or password'],
  ['https://example.test/?limit=20', "holds 'limit', which is already source.pageSize.param"],
])(
  'a variable that holds %s is refused by its name, and its value is not repeated',
  (url, fault) => {
    const quakes = [pick(pipelines, 'quakes')];
    const sentence = `QUAKES_API_URL ${fault}: quakes polls it.`;
    const refusal = () => refuseUnfit(quakes, { QUAKES_API_URL: url });
    expect(refusal).toThrow(new CliError(sentence));
    refuseUnfit(quakes, { QUAKES_API_URL: 'http://127.0.0.1:9/query' });
  },
);

test('a secret’s value comes from the variable of its name', () => {
  const env = { ORDERS_API_TOKEN: 't', PAYMENTS_API_TOKEN: 'u' };
  expect(secretValues(pipelines, { stage: 'dev', env })).toEqual([
    { name: 'penstock/dev/orders-api-token', value: 't' },
    { name: 'penstock/dev/payments-api-token', value: 'u' },
  ]);
});

describe('a source', () => {
  const refusalOf = (auth: NonNullable<PipelineInput['source']['auth']>, more: object) => {
    const input = ticketsInput();
    const settings = settingsOf({ ...input, source: { ...input.source, auth } });
    const env = { TICKETS_API_URL: 'http://127.0.0.1:9/', ...more };
    return () => refuseUnfit([settings], env);
  };

  test('with a login needs JSON of it, which is not repeated', () => {
    const auth = { kind: 'basic', secret: 'tickets-login' } as const;
    const sentence =
      'TICKETS_LOGIN must be JSON such as {"username":"…","password":"…"}: tickets shows it to its source.';
    expect(refusalOf(auth, { TICKETS_LOGIN: 'ada:pw' })).toThrow(new CliError(sentence));
    expect(refusalOf(auth, {})).toThrow('TICKETS_LOGIN is not set: tickets needs it.');
    refusalOf(auth, { TICKETS_LOGIN: '{"username":"ada","password":"pw"}' })();
  });

  test('with a token endpoint needs its address, the client and its secret', () => {
    const auth = {
      kind: 'oauth2',
      tokenUrl: { env: 'TICKETS_TOKEN_URL' },
      clientId: { env: 'TICKETS_CLIENT' },
      secret: 'tickets-client-secret',
    } as const;
    expect(refusalOf(auth, {})).toThrow(
      'TICKETS_TOKEN_URL, TICKETS_CLIENT, TICKETS_CLIENT_SECRET are not set: tickets needs them.',
    );
    const env = { TICKETS_CLIENT: 'app', TICKETS_CLIENT_SECRET: 's' };
    expect(refusalOf(auth, { ...env, TICKETS_TOKEN_URL: '/oauth/token' })).toThrow(
      new CliError('TICKETS_TOKEN_URL must be an absolute URL: tickets fetches tokens there.'),
    );
    refusalOf(auth, { ...env, TICKETS_TOKEN_URL: 'http://127.0.0.1:9/token' })();
  });
});

describe('a refresh token', () => {
  const input = ticketsInput();
  const auth = {
    kind: 'oauth2',
    grant: 'refresh-token',
    tokenUrl: 'https://login.example.com/token',
    clientId: 'app',
    secret: 'tickets-grant',
  } as const;
  const settings = settingsOf({ ...input, source: { ...input.source, auth } });
  const table = [{ ...settings, consumers: [] }];
  const env = (TICKETS_GRANT: string) => ({
    TICKETS_API_URL: 'http://127.0.0.1:9/',
    TICKETS_GRANT,
  });
  const ask = (grant: string) => ({ env: env(grant), clock: systemClock });

  test('is needed where functions run, as JSON', () => {
    expect(() => refuseUnfit(table, env('r0'))).toThrow(
      new CliError(
        'TICKETS_GRANT must be JSON such as {"clientSecret":"…","refreshToken":"…"}: tickets refreshes its ' +
          'access tokens by it.',
      ),
    );
    refuseUnfit(table, env('{"refreshToken":"r0"}'));
  });

  test('is not used up where the next could not be stored: an access token is shown instead', () => {
    expect(() => openSource({ settings, map: undefined }, ask('{"refreshToken":"r0"}'))).toThrow(
      new CliError(
        'TICKETS_GRANT must hold an access token, as {"accessToken":"…"}: the refresh token of tickets is not ' +
          'used here, since the one that follows it would be lost.',
      ),
    );
    openSource({ settings, map: undefined }, ask('{"refreshToken":"r0","accessToken":"a0"}'));
  });

  test('that was put once is not put again over those that followed it', () => {
    const [first, second, other] = ['r0', 'r0', 'r1'].map(
      (value) => secretValues(table, { stage: 'dev', env: env(value) })[0]!.versionId!,
    );
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect([second === first, other === first]).toEqual([true, false]);
  });
});

describe('a handler', () => {
  const input = ticketsInput();
  const settings = settingsOf({ ...input, consumers: [handlerInput(), ...input.consumers] });

  test('needs its settings and secrets like the source', () => {
    expect(() => refuseUnfit([settings], { TICKETS_TOKEN: 't' })).toThrow(
      'TICKETS_API_URL, TICKETS_MAIL_URL, MAIL_TOKEN are not set: tickets needs them.',
    );
    const env = { TICKETS_TOKEN: 't', MAIL_TOKEN: 'm', TICKETS_MAIL_URL: 'http://mail.example' };
    expect(parameterValues([settings], env)).toMatchObject({
      TicketsMailUrl: 'http://mail.example',
    });
    expect(secretValues([settings], { stage: 'dev', env })).toEqual([
      { name: 'penstock/dev/tickets-token', value: 't' },
      { name: 'penstock/dev/mail-token', value: 'm' },
    ]);
  });

  test('is passed over where a table is asked for', () => {
    expect(pickTable(settings, undefined).name).toBe('board');
    expect(pickTable(settings, 'board').name).toBe('board');
  });

  test('has no table, and says so', () => {
    expect(() => pickTable(settings, 'mail')).toThrow(
      new CliError('mail of tickets is a handler: it keeps no table.'),
    );
    const alone = settingsOf({ ...input, consumers: [handlerInput()] });
    expect(() => pickTable(alone, undefined)).toThrow(
      new CliError('tickets has no table: its consumers are handlers.'),
    );
  });
});

test('an unknown pipeline is answered with those there are', () => {
  expect(() => pick(pipelines, 'order')).toThrow(
    new UsageError("There is no pipeline 'order'; there are: orders, payments, quakes."),
  );
});
