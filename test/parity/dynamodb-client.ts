/** Asks any DynamoDB in the words of the wire; a refusal is an answer, with its name and its sentence. */
import type { Json } from './parity.ts';

export interface DynamoAsker {
  call(operation: string, input: object): Promise<Json>;
}

export function dynamoAsker(url: string): DynamoAsker {
  return {
    async call(operation, input) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': `DynamoDB_20120810.${operation}`,
          'x-amz-date': '20261102T080000Z',
          // Looked at by nobody, and wanted by all.
          authorization: `AWS4-HMAC-SHA256 Credential=parity/20261102/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
        },
        body: JSON.stringify(input),
      });
      const members = (await answer.json()) as Readonly<Record<string, Json>>;
      if (answer.status === 200) return members;
      const name = String(members['__type']).replace(/^.*#/, '');
      return { error: name, message: members['message'] ?? members['Message'] ?? '' };
    },
  };
}
