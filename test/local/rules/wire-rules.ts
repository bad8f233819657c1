import type { Rules } from './rule.ts';

const JSON_PROTOCOL = 'smithy.io AWS JSON 1.1 protocol';
const OURS = { isOurChoice: true } as const;

export const WIRE_RULES = {
  'routed-by-target': {
    rule: 'a request is routed by its target, with its body whole',
    source: `${JSON_PROTOCOL}, X-Amz-Target`,
  },
  'routed-by-path': {
    rule: 'a request without a known target is routed by its path, which stays encoded',
    source: 'smithy.io AWS REST protocols, HTTP bindings',
  },
  'unknown-target': {
    rule: 'what nobody answers is an unknown operation',
    source: `${JSON_PROTOCOL}, UnknownOperationException`,
  },
  'unknown-names': {
    rule: 'a target or operation that is a name of JavaScript’s own is unknown like any other',
    source: `${JSON_PROTOCOL}, UnknownOperationException`,
  },
  'unknown-operation': {
    rule: 'an operation that a service does not have is UnknownOperationException, and says that it is the emulator’s limit',
    source: 'AWS has operations that are not here',
    ...OURS,
  },
  'malformed-json': {
    rule: 'a body that is no JSON object is SerializationException',
    source: `${JSON_PROTOCOL}, SerializationException`,
  },
  'json-depth': {
    rule: 'JSON nested as deep as you like is answered, and harms nobody',
    source: 'AWS’s limits of depth are not documented',
    ...OURS,
  },
  http2: {
    rule: 'the Kinesis client is served over HTTP/2, which is what it speaks when left alone',
    source: '@aws-sdk/client-kinesis 3.1143.0, NodeHttp2Handler',
  },
  head: {
    rule: 'HEAD is answered without a body and with its length',
    source: 'RFC 9110, 9.3.2',
  },
  'not-admitted': {
    rule: 'what is not admitted reaches no handler',
    source: 'IAM User Guide, policy evaluation: before the service',
  },
  defect: {
    rule: 'an exception of ours is a 500, and is told',
    source: 'AWS’s InternalFailure is a 500 too; ours is to be mended',
    ...OURS,
  },
  'hang-up': {
    rule: 'a hang-up leaves the client without an answer, and the next request is served',
    source: 'as a crash or a timeout of the service would',
    ...OURS,
  },
  'body-limit': {
    rule: 'a body beyond every limit is refused, not kept',
    limit: '32 MiB',
    source: 'S3 takes 5 GB; a process’s memory does not',
    ...OURS,
  },
  'body-declared': {
    rule: 'a body that is declared too large is refused before it comes',
    limit: '32 MiB',
    source: 'nothing is gained by reading it',
    ...OURS,
  },
  'body-endless': {
    rule: 'a body that goes on after it was refused is cut off',
    limit: '64 MiB more',
    source: 'a client that reads its answer stops by itself',
    ...OURS,
  },
  'slow-connection': {
    rule: 'a connection that sends nothing is closed after a while',
    limit: '60 s',
    source: 'AWS’s idle times differ by service',
    ...OURS,
  },
  'slow-header': {
    rule: 'half a header for ever is answered with a timeout, on a used connection as on a new one',
    limit: '60 s',
    source: 'AWS’s times are not documented',
    ...OURS,
  },
  'slow-body': {
    rule: 'a body that comes byte by byte is refused after a while',
    limit: '300 s',
    source: 'Amazon S3 API, RequestTimeout; AWS’s times are not documented',
    ...OURS,
  },
  'client-gone': {
    rule: 'a client that goes away in the middle of its request harms nobody',
    source: 'so it is on AWS',
    ...OURS,
  },
  'many-connections': {
    rule: 'thousands of connections opened and left stop no request from being answered, and lose nothing',
    limit: '10,000',
    source: 'a laptop’s limit of open files is the next',
    ...OURS,
  },
  'random-bytes': {
    rule: 'no bytes bring the port down, whatever they are',
    source: 'RFC 9112: a server answers 400',
    ...OURS,
  },
  closing: {
    rule: 'closing cuts the connections that clients keep alive',
    source: 'nothing of a cloud outlives it',
    ...OURS,
  },
} as const satisfies Rules;
