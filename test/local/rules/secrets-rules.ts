import type { Rules } from './rule.ts';

const GUIDE = 'secretsmanager/latest/userguide';
const api = (action: string) => `Secrets Manager API 2017-10-17, ${action}`;

export const SECRETS_RULES = {
  'get-ids': {
    rule: 'a secret is found by its name, its ARN, and its ARN without the random ending',
    source: api('GetSecretValue, SecretId'),
  },
  'get-empty': {
    rule: 'a secret without a value is not found under AWSCURRENT, in the words of AWS',
    source: api('GetSecretValue, ResourceNotFoundException'),
  },
  'get-absent': {
    rule: 'a secret that does not exist cannot be found',
    source: api('GetSecretValue, ResourceNotFoundException'),
  },
  'get-version': {
    rule: 'a version is got by its id, by a label, or by both when they agree',
    source: api('GetSecretValue, VersionId, VersionStage'),
  },
  'get-binary': {
    rule: 'binary values come back as they were put',
    source: api('GetSecretValue, SecretBinary'),
  },
  'get-batch': {
    rule: 'a batch gets each value, or says why not',
    limit: '1–20 secrets',
    source: api('BatchGetSecretValue'),
  },
  'put-labels': {
    rule: 'a new value is AWSCURRENT, and the one before becomes AWSPREVIOUS',
    source: `${GUIDE}/whats-in-a-secret`,
  },
  'put-other-label': {
    rule: 'a value with a label of its own leaves AWSCURRENT where it is',
    source: api('PutSecretValue, VersionStages'),
  },
  'put-deprecated': {
    rule: 'a version without a label can be got by its id, and the oldest of too many is gone',
    limit: '100 versions',
    source: `${GUIDE}/whats-in-a-secret`,
  },
  'put-token': {
    rule: 'a put repeated with its token changes nothing, and with another value is refused',
    limit: '32–64 characters',
    source: api('PutSecretValue, ClientRequestToken'),
  },
  'put-none': {
    rule: 'a put without a value, or with two, is refused',
    source: api('PutSecretValue, InvalidParameterException'),
  },
  'put-size': {
    rule: 'a value is at most 64 KiB',
    limit: '65,536 bytes',
    source: api('PutSecretValue, SecretString'),
  },
  'stage-move': {
    rule: 'AWSCURRENT moves from the version that has it to another, and the former becomes AWSPREVIOUS',
    source: api('UpdateSecretVersionStage'),
  },
  'stage-refused': {
    rule: 'a label that is on another version is moved only by who names that version',
    source: api('UpdateSecretVersionStage, RemoveFromVersionId'),
  },
  'stage-removed': {
    rule: 'a label of one’s own is put on and taken off, AWSCURRENT never taken off',
    source: api('UpdateSecretVersionStage, MoveToVersionId'),
  },
  create: {
    rule: 'a secret is created with an ARN that ends at random',
    source: api('CreateSecret'),
  },
  'create-taken': {
    rule: 'a name that is taken, or to be deleted, is refused',
    source: api('CreateSecret, ResourceExistsException'),
  },
  'create-name': {
    rule: 'a name is letters, digits and /_+=.@!-',
    limit: '1–512 characters',
    source: api('CreateSecret, Name'),
  },
  'create-declared': {
    rule: 'a secret of a template that is there keeps its value',
    source: 'so does a redeployment on AWS',
    isOurChoice: true,
  },
  update: {
    rule: 'an update changes the description, and makes a new version of a value',
    source: api('UpdateSecret'),
  },
  describe: {
    rule: 'a description has the labels of the versions, and no value',
    source: api('DescribeSecret'),
  },
  list: {
    rule: 'a list names every secret and no value, a page at a time',
    limit: '1–100 a page',
    source: api('ListSecrets'),
  },
  'list-versions': {
    rule: 'versions are listed, those without a label when asked for',
    source: api('ListSecretVersionIds'),
  },
  delete: {
    rule: 'a deleted secret can be restored until its recovery window is over, and then is gone',
    limit: '7–30 days, 30 by default',
    source: api('DeleteSecret, RestoreSecret'),
  },
  'delete-pending': {
    rule: 'a secret that is to be deleted cannot be used, in the words of AWS',
    source: api('InvalidRequestException'),
  },
  'delete-forced': {
    rule: 'a secret deleted without recovery is gone at once',
    source: api('DeleteSecret, ForceDeleteWithoutRecovery'),
  },
  'delete-refused': {
    rule: 'a recovery window out of its bounds, or with no recovery, is refused',
    limit: '7–30 days',
    source: api('DeleteSecret, InvalidParameterException'),
  },
  password: {
    rule: 'a random password has the length and the kinds of characters asked for',
    limit: '1–4,096 characters, 32 by default',
    source: api('GetRandomPassword'),
  },
  unsupported: {
    rule: 'rotation, replicas and filters are refused by name, as is any parameter not known',
    source: 'what is not emulated is never ignored',
    isOurChoice: true,
  },
  malformed: {
    rule: 'what is no JSON, has a wrong type or lacks the secret’s id is refused',
    source: api('common errors'),
  },
} as const satisfies Rules;
