import { expect, test } from 'vitest';
import { RULE_TYPE, schedulesOfRule } from '#local/template/rule-type';

const ARN = 'arn:aws:events:us-east-1:000000000000:rule/every';
const target = (Id: string, more: object = {}) => ({
  Id,
  Arn: `arn:aws:lambda:us-east-1:000000000000:function:${Id}-fn`,
  ...more,
});
const rule = (...Targets: object[]) => ({ ScheduleExpression: 'rate(5 minutes)', Targets });

test('a rule ticks for its one target as a schedule of its name', () => {
  expect(schedulesOfRule('every', ARN, rule(target('a', { Input: '{"x":1}' })))).toEqual([
    {
      name: 'every',
      arn: ARN,
      expression: 'rate(5 minutes)',
      zone: 'UTC',
      enabled: true,
      functionName: 'a-fn',
      input: '{"x":1}',
    },
  ]);
});

test('several targets are told apart, and one that is off does not tick', () => {
  const many = schedulesOfRule('every', ARN, {
    ...rule(target('a'), target('b')),
    State: 'DISABLED',
  });
  expect(many.map(({ name, enabled }) => [name, enabled])).toEqual([
    ['every/a', false],
    ['every/b', false],
  ]);
});

test('what is no schedule of functions is refused', () => {
  const refused = RULE_TYPE.refuse?.({ Targets: [{ Id: 'q', Arn: 'arn:aws:sqs:::q' }] });
  expect(refused).toEqual([
    'a rule without a schedule is not supported',
    'target arn:aws:sqs:::q is not a Lambda function',
  ]);
});
