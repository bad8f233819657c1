import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { addPrivateBucket } from './private-bucket.ts';
import type { PrivateBucketProps } from './private-bucket.ts';

/** Where the ledger of a source's keys rests. Nothing in it expires: a source may stand still for years. */
export class LedgerBucket extends Construct {
  constructor(scope: Construct, id: string, props: Omit<PrivateBucketProps, 'lifecycleRule'>) {
    super(scope, id);
    const lifecycleRule = { abortIncompleteMultipartUploadAfter: Duration.days(1) };
    addPrivateBucket(this, { ...props, lifecycleRule });
  }
}
