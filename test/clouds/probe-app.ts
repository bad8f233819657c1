/** An app of one function and some streams, each read through a mapping of its own. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnEventSourceMapping, Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { CfnEventSourceMappingProps } from 'aws-cdk-lib/aws-lambda';
import { Stream, StreamEncryption, StreamMode } from 'aws-cdk-lib/aws-kinesis';
import { Bucket } from 'aws-cdk-lib/aws-s3';

/** Properties of the mapping of each stream, by the stream's last name; undefined: nobody reads it. */
export type Probed = Readonly<Record<string, Partial<CfnEventSourceMappingProps> | undefined>>;

export interface ProbeApp {
  readonly stage: string;
  readonly probed: Probed;
  /** Where the function reports to. */
  readonly url: string;
  /** False: the function's role may not read the streams. */
  readonly mayRead: boolean;
}

/** What a stream of the app is called. */
export const streamName = (stage: string, name: string): string => `probe-${stage}-${name}`;

/** Receives what the mappings give up. */
export const bucketName = (stage: string): string => `probe-${stage}-given-up`;

/** Synthesize it into `<directory>/cdk.out`; answers that path. */
export function synthesizeProbes(directory: string, app: ProbeApp): string {
  const { stage, probed, url, mayRead } = app;
  const cdkOut = join(directory, 'cdk.out');
  const asset = join(directory, 'function');
  mkdirSync(asset);
  copyFileSync(join(import.meta.dirname, 'probe-function.mjs'), join(asset, 'index.mjs'));
  const cdkApp = new App({ outdir: cdkOut, analyticsReporting: false });
  const stack = new Stack(cdkApp, `probe-${stage}`);
  const bucket = new Bucket(stack, 'GivenUp', {
    bucketName: bucketName(stage),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const fn = new Function(stack, 'Probe', {
    functionName: `probe-${stage}`,
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromAsset(asset),
    timeout: Duration.seconds(60),
    environment: { PROBE_URL: url },
  });
  bucket.grantPut(fn);
  fn.addToRolePolicy(
    new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
  );
  for (const [name, properties] of Object.entries(probed)) {
    const stream = new Stream(stack, `Stream-${name}`, {
      streamName: streamName(stage, name),
      streamMode: StreamMode.PROVISIONED,
      shardCount: 1,
      encryption: StreamEncryption.UNENCRYPTED,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    if (properties === undefined) continue;
    if (mayRead) stream.grantRead(fn);
    const mapping = new CfnEventSourceMapping(stack, `Mapping-${name}`, {
      functionName: fn.functionName,
      eventSourceArn: stream.streamArn,
      startingPosition: 'TRIM_HORIZON',
      destinationConfig: { onFailure: { destination: bucket.bucketArn } },
      ...properties,
    });
    mapping.node.addDependency(fn);
  }
  cdkApp.synth();
  return cdkOut;
}
