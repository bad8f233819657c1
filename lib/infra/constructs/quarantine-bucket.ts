import { Duration } from 'aws-cdk-lib';
import type { RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

export interface QuarantineBucketProps {
  readonly bucketName: string;
  /** When a refused record is let go, in days. Every tombstone stands longer. */
  readonly keptDays: number;
  /** Even where it is to go with its stack, a bucket that holds objects stays and says so. */
  readonly removalPolicy: RemovalPolicy;
}

/** Where refused records rest, with payload and reason, until someone looks. */
export class QuarantineBucket extends Construct {
  constructor(scope: Construct, id: string, props: QuarantineBucketProps) {
    super(scope, id);
    const bucket = new Bucket(this, 'Bucket', {
      bucketName: props.bucketName,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      lifecycleRules: [
        {
          expiration: Duration.days(props.keptDays),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
      removalPolicy: props.removalPolicy,
    });
    // A bucket that outlives its stack still refuses what is not encrypted on its way.
    bucket.policy?.applyRemovalPolicy(props.removalPolicy);
  }
}
