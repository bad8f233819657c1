/** Where the probe function reports to, and what tells it how to end. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the function is given; of a record, what the tests look at. */
export interface Invocation {
  readonly Records: readonly GivenRecord[];
  readonly eventSourceARN?: string;
  /** Only of a mapping with a tumbling window. */
  readonly window?: { readonly start: string; readonly end: string };
}

export interface GivenRecord {
  readonly eventSourceARN: string;
  readonly kinesis: {
    readonly partitionKey: string;
    readonly sequenceNumber: string;
    readonly data: string;
    readonly approximateArrivalTimestamp: number;
  };
}

/** What the function answers; a rejection is its failure. */
export type Behaviour = (invocation: Invocation) => unknown;

export interface ProbeServer {
  readonly url: string;
  /** By the stream's name. */
  readonly behaviours: Map<string, Behaviour>;
  close(): Promise<void>;
}

export async function openProbeServer(): Promise<ProbeServer> {
  const behaviours = new Map<string, Behaviour>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const invocation = JSON.parse(Buffer.concat(chunks).toString()) as Invocation;
    const arn = invocation.eventSourceARN ?? invocation.Records[0]?.eventSourceARN ?? '';
    try {
      const answer = await behaviours.get(arn.split('/').at(-1) ?? '')?.(invocation);
      response.end(JSON.stringify(answer ?? {}));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behaviours,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The texts that were put. */
export const textsOf = ({ Records }: Pick<Invocation, 'Records'>): readonly string[] =>
  Records.map(({ kinesis }) => Buffer.from(kinesis.data, 'base64').toString());
