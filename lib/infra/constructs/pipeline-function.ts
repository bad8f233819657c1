import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

export interface PipelineFunctionProps {
  readonly functionName: string;
  readonly description: string;
  /** Folder that holds `index.mjs`. */
  readonly bundle: string;
  readonly memoryMb: number;
  readonly timeoutSec: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Everything that the function may do, its logs aside. */
  readonly allow: readonly PolicyStatement[];
  readonly reservedConcurrency?: number | undefined;
}

/** A bundled function with a role and a log group of its own, neither larger than its need. */
export class PipelineFunction extends Construct {
  readonly fn: LambdaFunction;

  constructor(scope: Construct, id: string, props: PipelineFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${props.functionName}`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const writeLogs = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        only: new PolicyDocument({ statements: [writeLogs, ...props.allow] }),
      },
    });
    this.fn = new LambdaFunction(this, 'Function', {
      functionName: props.functionName,
      description: props.description,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSec),
      environment: { ...props.environment },
      role,
      logGroup,
      ...(props.reservedConcurrency === undefined
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
    });
  }
}
