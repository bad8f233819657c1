import type { RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { LifecycleRule } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

export interface PrivateBucketProps {
  readonly bucketName: string;
  readonly lifecycleRule: LifecycleRule;
  /** Even where it is to go with its stack, a bucket that holds objects stays and says so. */
  readonly removalPolicy: RemovalPolicy;
}

/** Add a bucket that nobody outside the account sees, and nobody reaches unencrypted. */
export function addPrivateBucket(scope: Construct, props: PrivateBucketProps): void {
  const { bucketName, lifecycleRule, removalPolicy } = props;
  const bucket = new Bucket(scope, 'Bucket', {
    bucketName,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    lifecycleRules: [lifecycleRule],
    removalPolicy,
  });
  // A bucket that outlives its stack still refuses what is not encrypted on its way.
  bucket.policy?.applyRemovalPolicy(removalPolicy);
}
