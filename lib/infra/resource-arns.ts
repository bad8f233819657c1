/** ARNs made from names, so that one stack never imports from another. */
import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { bucketName as bucketNameIn } from '#config/resource-names';

export function streamArn(scope: Construct, name: string): string {
  return Stack.of(scope).formatArn({ service: 'kinesis', resource: 'stream', resourceName: name });
}

export function tableArn(scope: Construct, name: string): string {
  return Stack.of(scope).formatArn({ service: 'dynamodb', resource: 'table', resourceName: name });
}

/** Secrets Manager ends a secret's ARN with a hyphen and six characters that no one can foresee. */
export function secretArn(scope: Construct, name: string): string {
  return Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${name}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

export function functionArn(scope: Construct, name: string): string {
  return Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: name,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

export function topicArn(scope: Construct, name: string): string {
  return Stack.of(scope).formatArn({ service: 'sns', resource: name });
}

/** A bucket, or with `key` its objects that match. */
export function bucketArn(name: string, key?: string): string {
  return `arn:${Aws.PARTITION}:s3:::${name}${key === undefined ? '' : `/${key}`}`;
}

/** A bucket's name in whatever account and region the stack is deployed to. */
export function bucketName(prefix: string): string {
  return bucketNameIn(prefix, { account: Aws.ACCOUNT_ID, region: Aws.REGION });
}
