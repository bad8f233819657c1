import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { NAME, secretCloud } from './secret-cloud.ts';

async function threeVersions() {
  const { call, put, get } = secretCloud();
  const one: string = (await put('one')).body.VersionId;
  const two: string = (await put('two')).body.VersionId;
  const next: string = (await put('three', { VersionStages: ['own'] })).body.VersionId;
  return {
    ids: { one, two, next },
    move: (VersionStage: string | undefined, to?: string, from?: string) =>
      call('UpdateSecretVersionStage', {
        SecretId: NAME,
        VersionStage,
        MoveToVersionId: to,
        RemoveFromVersionId: from,
      }),
    labels: async () =>
      (await call('DescribeSecret', { SecretId: NAME })).body.VersionIdsToStages as object,
    get,
  };
}

ruleTest('secrets', 'stage-move', async () => {
  const { ids, move, labels, get } = await threeVersions();
  expect((await move('AWSCURRENT', ids.next, ids.two)).body).toMatchObject({ Name: NAME });
  expect((await get()).SecretString).toBe('three');
  expect(await labels()).toEqual({ [ids.two]: ['AWSPREVIOUS'], [ids.next]: ['own', 'AWSCURRENT'] });
  // And back: nothing is current and previous at once.
  await move('AWSCURRENT', ids.two, ids.next);
  expect(await labels()).toEqual({ [ids.two]: ['AWSCURRENT'], [ids.next]: ['own', 'AWSPREVIOUS'] });
  await move('AWSCURRENT', ids.two, ids.two);
  expect((await get()).VersionId).toBe(ids.two);
});

ruleTest('secrets', 'stage-refused', async () => {
  const { ids, move, labels } = await threeVersions();
  const before = await labels();
  expect((await move('AWSCURRENT', ids.next)).body).toMatchObject({
    __type: 'InvalidParameterException',
    Message:
      `The parameter RemoveFromVersionId can't be empty. Staging label AWSCURRENT is currently attached ` +
      `to version ${ids.two}, so you must explicitly reference that version in RemoveFromVersionId.`,
  });
  for (const [to, from, type] of [
    [ids.next, ids.one, 'InvalidParameterException'],
    [ids.next, ids.next, 'InvalidParameterException'],
    [ids.next, 'none', 'ResourceNotFoundException'],
    ['none', ids.two, 'ResourceNotFoundException'],
  ] as const) {
    expect((await move('AWSCURRENT', to, from)).body.__type).toBe(type);
  }
  expect((await move(undefined, ids.next, ids.two)).body.__type).toBe('ValidationException');
  expect(await labels()).toEqual(before);
});

ruleTest('secrets', 'stage-removed', async () => {
  const { ids, move, labels } = await threeVersions();
  await move('mine', ids.one);
  expect(await labels()).toMatchObject({ [ids.one]: ['AWSPREVIOUS', 'mine'] });
  await move('own', undefined, ids.next);
  expect(await labels()).not.toHaveProperty(ids.next);
  for (const answer of [await move('AWSCURRENT', undefined, ids.two), await move('mine')]) {
    expect(answer.body.__type).toBe('InvalidParameterException');
  }
});
