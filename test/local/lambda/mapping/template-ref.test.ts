import { expect } from 'vitest';
import { planResources } from '#local/template/plan-resources';
import { ruleTest } from '#test/local/rules/rule-test';
import { LEAST } from './mappings-bench.ts';

ruleTest(
  'mapping',
  'ref-uuid',
  () => {
    const template = {
      Resources: {
        Mapping: { Type: 'AWS::Lambda::EventSourceMapping', Properties: LEAST },
        Other: {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: { ...LEAST, FunctionName: 'other' },
        },
        Dropped: {
          Type: 'AWS::CloudWatch::Alarm',
          Properties: {
            Namespace: 'AWS/Lambda',
            MetricName: 'DroppedEventCount',
            Dimensions: [{ Name: 'EventSourceMappingUUID', Value: { Ref: 'Mapping' } }],
          },
        },
      },
    };
    const plan = () => planResources([{ name: 'run', template, assetPaths: new Map() }], {});
    const [mapping, other, alarm] = plan();
    expect(mapping?.name).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(mapping?.identity).toEqual({
      ref: mapping?.name,
      attributes: {
        Id: mapping?.name,
        EventSourceMappingArn: `arn:aws:lambda:us-east-1:000000000000:event-source-mapping:${mapping?.name}`,
      },
    });
    expect(alarm?.properties['Dimensions']).toMatchObject([{ Value: mapping?.name }]);
    expect(other?.name).not.toBe(mapping?.name);
    expect(plan()[0]?.name).toBe(mapping?.name);
  },
  'in a template',
);
