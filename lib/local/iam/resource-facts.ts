/** What of the templates' resources a request alone does not say, and a policy may ask. */
import type { PlannedResource } from '#local/template/plan-resources';

export interface ResourceFacts {
  /** ARN of the user's own key that a stream is encrypted with; undefined: none is. */
  keyOfStream(stream: string): string | undefined;
  /** The attribute that is a table's partition key. */
  partitionKeyOf(table: string): string | undefined;
  /** A secret by its name, its ARN, or its ARN without the random ending. */
  secretArn(id: string): string;
}

/** The key that AWS manages: everyone may use it through Kinesis. */
const MANAGED_KEY = 'alias/aws/kinesis';

/** @param report hears, in sentences, of keys that cannot be known here. */
export function readFacts(
  planned: readonly PlannedResource[],
  report: (problem: string) => void,
): ResourceFacts {
  const keys = new Map<string, string>();
  const partitionKeys = new Map<string, string>();
  const secrets = new Map<string, string>();
  for (const { type, name, identity, properties, stack, logicalId } of planned) {
    if (type === 'AWS::Kinesis::Stream') {
      const { KeyId } = (properties['StreamEncryption'] ?? {}) as { KeyId?: unknown };
      const key = String(KeyId ?? MANAGED_KEY);
      const arn = planned.find((other) => other.type === 'AWS::KMS::Key' && other.name === key);
      if (key === MANAGED_KEY) continue;
      if (arn === undefined && !/^arn:[^:]+:kms:.*:key\//.test(key)) {
        report(`${logicalId} (${type}) in ${stack}: its key ${key} is no key's ARN.`);
      }
      keys.set(name, arn?.identity.attributes['Arn'] ?? key);
    } else if (type.startsWith('AWS::DynamoDB::')) {
      const schema = (properties['KeySchema'] ?? []) as readonly Record<string, unknown>[];
      const key = schema.find(({ KeyType }) => KeyType === 'HASH');
      partitionKeys.set(name, String(key?.['AttributeName']));
    } else if (type === 'AWS::SecretsManager::Secret') {
      for (const id of [name, identity.ref, identity.ref.replace(/-[^-]{6}$/, '')]) {
        secrets.set(id, identity.ref);
      }
    }
  }
  return {
    keyOfStream: (stream) => keys.get(stream),
    partitionKeyOf: (table) => partitionKeys.get(table),
    secretArn: (id) => secrets.get(id) ?? id,
  };
}
