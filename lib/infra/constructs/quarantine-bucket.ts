import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { addPrivateBucket } from './private-bucket.ts';
import type { PrivateBucketProps } from './private-bucket.ts';

export interface QuarantineBucketProps extends Omit<PrivateBucketProps, 'lifecycleRule'> {
  /** When a refused record is let go, in days. Every tombstone stands longer. */
  readonly keptDays: number;
}

/** Where refused records rest, with payload and reason, until someone looks. */
export class QuarantineBucket extends Construct {
  constructor(scope: Construct, id: string, { keptDays, ...props }: QuarantineBucketProps) {
    super(scope, id);
    const lifecycleRule = {
      expiration: Duration.days(keptDays),
      abortIncompleteMultipartUploadAfter: Duration.days(1),
    };
    addPrivateBucket(this, { ...props, lifecycleRule });
  }
}
