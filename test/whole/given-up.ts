/** What Lambda left in the bucket of the records that it gave up. */
import { listQuarantine } from '#cli/quarantine-reader';
import type { Deployment } from '#test/clouds/cloud';
import { namesOf } from './tickets-app.ts';

/** @source Lambda Developer Guide, "Retain discarded batch records for a Kinesis data stream …". */
interface Document {
  readonly requestContext: {
    readonly functionArn: string;
    readonly condition: string;
    readonly approximateInvokeCount: number;
  };
  readonly KinesisBatchInfo: { readonly batchSize: number };
  /** The function's event, as JSON in a text; LocalStack leaves out the text. */
  readonly payload: string | Event;
}

interface Event {
  readonly Records: readonly {
    readonly kinesis: { readonly sequenceNumber: string; readonly data: string };
  }[];
}

export interface GivenUp extends Document {
  /** The mapping's id; undefined when the key has another form. */
  readonly mapping: string | undefined;
  readonly records: readonly { readonly sequenceNumber: string; readonly text: string }[];
}

const PREFIX = 'aws/lambda/';
const KEY =
  /^aws\/lambda\/(?<mapping>[0-9a-f-]{36})\/shardId-\d{12}\/\d{4}(\/\d\d){2}\/[\dT.-]{19}-[0-9a-f-]{36}$/;
const TIMEOUT_MS = 120_000;

/** Read all of a deployment's documents. */
export async function givenUpBy(deployment: Deployment): Promise<readonly GivenUp[]> {
  const { quarantineBucket } = namesOf(deployment);
  const send = await deployment.connection.signed('s3');
  const read = async (key: string): Promise<GivenUp> => {
    const path = `/${quarantineBucket}/${key}`;
    const answer = await send({ method: 'GET', path, timeoutMs: TIMEOUT_MS });
    const document = (await answer.json()) as Document;
    return {
      ...document,
      mapping: KEY.exec(key)?.groups?.['mapping'],
      records: recordsOf(document),
    };
  };
  const keys = await listQuarantine(send, quarantineBucket);
  return Promise.all(keys.filter((key) => key.startsWith(PREFIX)).map(read));
}

function recordsOf({ payload }: Document): GivenUp['records'] {
  const { Records } = typeof payload === 'string' ? (JSON.parse(payload) as Event) : payload;
  return Records.map(({ kinesis: { sequenceNumber, data } }) => ({
    sequenceNumber,
    text: Buffer.from(data, 'base64').toString(),
  }));
}
