/** Requests that only ask whether they would succeed. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';

/** @throws {ServiceError} DryRunOperationException, once everything was checked and nothing was done. */
export function endDryRun({ DryRun }: JsonInput): void {
  if (DryRun !== true) return;
  throw new ServiceError(
    'DryRunOperationException',
    'Request would have succeeded, but DryRun flag is set.',
  );
}
