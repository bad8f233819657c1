/** Where a mapping sends what it gives up. */

export type FailureTarget =
  /** Receives the records themselves. */
  | { readonly kind: 'bucket'; readonly bucket: string }
  /** Receives where the records are. */
  | { readonly kind: 'queue'; readonly queueArn: string };

export type ParsedTarget =
  | { readonly kind: 'target'; readonly target: FailureTarget | undefined }
  | { readonly kind: 'fault'; readonly message: string };

/** @source Lambda API 2015-03-31, DestinationConfig; first-in-first-out queues take no failures. */
export function parseFailureTarget(config: unknown): ParsedTarget {
  if (config === undefined || config === null) return { kind: 'target', target: undefined };
  const { OnFailure = {}, ...others } = Object(config) as {
    readonly OnFailure?: { readonly Destination?: unknown } | null;
  };
  const [other] = Object.keys(others);
  if (other !== undefined)
    return fault(`DestinationConfig.${other} is not for event source mappings`);
  const destination = OnFailure?.Destination;
  if (destination === undefined || destination === null || destination === '') {
    return { kind: 'target', target: undefined };
  }
  const arn = String(destination);
  const bucket = /^arn:[^:]+:s3:::([^/]+)$/.exec(arn)?.[1];
  if (bucket !== undefined) return { kind: 'target', target: { kind: 'bucket', bucket } };
  if (!/^arn:[^:]+:sqs:[^:]+:\d{12}:[\w-]+(\.fifo)?$/.test(arn)) {
    return fault(`DestinationConfig.OnFailure.Destination ${arn} is no bucket or queue`);
  }
  return arn.endsWith('.fifo')
    ? fault(`DestinationConfig.OnFailure.Destination ${arn} is a FIFO queue`)
    : { kind: 'target', target: { kind: 'queue', queueArn: arn } };
}

function fault(message: string): ParsedTarget {
  return { kind: 'fault', message };
}
