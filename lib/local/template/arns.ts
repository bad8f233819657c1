/** The account, region and partition of the local cloud, and the names that follow from them. */

export const REGION = 'us-east-1';
export const ACCOUNT_ID = '000000000000';
export const PARTITION = 'aws';

export function arn(service: string, resource: string): string {
  return `arn:${PARTITION}:${service}:${REGION}:${ACCOUNT_ID}:${resource}`;
}

/** Of a service that knows no regions. */
export function globalArn(service: string, resource: string): string {
  return `arn:${PARTITION}:${service}::${ACCOUNT_ID}:${resource}`;
}
