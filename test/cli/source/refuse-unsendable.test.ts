import { expect, test } from 'vitest';
import { CliError } from '#cli/cli-error';
import { refuseUnsendable } from '#cli/source/refuse-unsendable';
import { settingsOf } from '#test/config/pipeline-input';
import { PIPELINE, SOURCE } from '#test/cli/doctor/examine';
import type { PipelineInput } from '#config/pipeline-input';

const refuse = (ROWS_TOKEN: string, auth: PipelineInput['source']['auth'] = SOURCE.auth) =>
  refuseUnsendable(settingsOf({ ...PIPELINE, source: { ...SOURCE, auth } }), { ROWS_TOKEN });

test.each(['tok-9f\n8e7d', 'tok-9f…8e7d', 'tok-\u00009f8e'])(
  'a token that no header can carry is named by its variable: %j',
  (token) =>
    expect(() => refuse(token)).toThrow(
      new CliError(
        'ROWS_TOKEN holds a line end or a character that no header can carry: rows shows it to its source.',
      ),
    ),
);

test.each(['tok-9f8e7d\n', 'tök-9f8e7d', 'tok 9f8e7d'])(
  'a token that is sent is well: %j',
  (token) => refuse(token),
);

test('a key in the query may be any text', () =>
  refuse('k\n…', { kind: 'api-key', param: 'key', secret: 'rows-token' }));
