/** A call that is refused, in the words and the form of the service that refuses it. */
import type { WireResponse } from '#local/contracts';
import { element, errorDocument } from '#local/emulators/objects/documents';

export interface Refusal {
  readonly action: string;
  readonly resource: string;
  /** AWS's sentence. */
  readonly message: string;
}

/** @source IAM User Guide, "Troubleshoot access denied error messages" (2026-10). */
export function refusalMessage(
  { action, resource }: Pick<Refusal, 'action' | 'resource'>,
  { userArn, isExplicit }: { readonly userArn: string; readonly isExplicit: boolean },
): string {
  const named = action.startsWith('s3:') ? `"${resource}"` : resource;
  const reason = isExplicit
    ? 'with an explicit deny in an identity-based policy'
    : `because no identity-based policy allows the ${action} action`;
  return `User: ${userArn} is not authorized to perform: ${action} on resource: ${named} ${reason}`;
}

/** S3 speaks XML, Lambda by a header, and the others by a member; a key's refusal is Kinesis's. */
export function refusalResponse({ action, message }: Refusal, requestId: string): WireResponse {
  const [service] = action.split(':');
  if (service === 's3') {
    const members = [element('RequestId', requestId)];
    const body = errorDocument({ code: 'AccessDenied', message, members });
    return { status: 403, headers: { 'content-type': 'application/xml' }, body };
  }
  if (service === 'lambda') {
    const headers = {
      'content-type': 'application/json',
      'x-amzn-errortype': 'AccessDeniedException',
    };
    return { status: 403, headers, body: JSON.stringify({ Message: message }) };
  }
  const code = service === 'kms' ? 'KMSAccessDeniedException' : 'AccessDeniedException';
  const isDynamo = service === 'dynamodb';
  return {
    status: 400,
    headers: {
      'content-type': `application/x-amz-json-${isDynamo ? '1.0' : '1.1'}`,
      'x-amzn-requestid': requestId,
    },
    body: JSON.stringify({
      __type: isDynamo ? `com.amazon.coral.service#${code}` : code,
      Message: message,
      message,
    }),
  };
}
