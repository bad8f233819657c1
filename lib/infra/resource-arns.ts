/** ARNs made from names, so that one stack never imports from another. */
import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

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

/** A bucket, or with `key` its objects that match. */
export function bucketArn(name: string, key?: string): string {
  return `arn:${Aws.PARTITION}:s3:::${name}${key === undefined ? '' : `/${key}`}`;
}

/** S3 has one namespace for all accounts: the account and region keep the name free. */
export function bucketName(prefix: string): string {
  return `${prefix}-${Aws.ACCOUNT_ID}-${Aws.REGION}`;
}
