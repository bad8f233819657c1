import type { Rules } from '#test/local/rules/rule';

const REPORTING = 'lambda/latest/dg/services-kinesis-batchfailurereporting';
const ON_FAILURE = 'lambda/latest/dg/kinesis-on-failure-destination';
const MAPPINGS = 'lambda/latest/dg/invocation-eventsourcemapping';

/** What becomes of records that a function does not finish. */
export const FAILURE_RULES = {
  'report-lowest': {
    rule: 'Failures of s13 and s11 rewind to s11, the lowest sequence number, and s10 is done [CONS-01]',
    source: REPORTING,
  },
  'report-success': {
    rule: 'An empty answer, null, and an empty or null list of failures finish the batch',
    source: REPORTING,
  },
  'report-failure': {
    rule: 'An identifier that is empty, null or misspelt, and an answer that is no JSON, fail the whole batch',
    source: REPORTING,
  },
  'report-unknown': {
    rule: 'An identifier that is of no record of the batch fails the whole batch',
    source: 'nothing else says which records are done',
    isOurChoice: true,
  },
  'report-first': {
    rule: 'A report of the first record fails the whole batch',
    source: REPORTING,
  },
  'report-ignored': {
    rule: 'A report is ignored unless FunctionResponseTypes asks for it',
    source: REPORTING,
  },
  'retry-attempts': {
    rule: 'N retries are N + 1 attempts, and then the batch is given up',
    limit: '-1, or 0 to 10,000; -1, for ever, by default',
    source: MAPPINGS,
  },
  'retry-for-ever': {
    rule: 'Without a limit a failing batch holds its shard, and no other',
    source: ON_FAILURE,
  },
  'retry-delay': {
    rule: 'The pause before a batch is tried again doubles each time',
    limit: '200 ms to 30 s, half of it by chance',
    source: 'AWS documents no schedule; this one is patient enough for a person who watches',
    isOurChoice: true,
  },
  'throttle-free': {
    rule: 'A throttle spends no retry, nor does a function that cannot be run',
    source: MAPPINGS,
  },
  'throttle-reserved': {
    rule: 'A function at its reserved concurrency throttles its shards, and each record waits for its turn',
    source: 'lambda/latest/dg/configuration-concurrency',
  },
  'record-age': {
    rule: 'Records older than the maximum age are given up, younger ones of their batch are not',
    limit: '-1, or 60 s to 7 days; -1, for ever, by default',
    source: ON_FAILURE,
  },
  'record-age-exact': {
    rule: 'A record exactly as old as the maximum age is still tried',
    source: 'older than is what AWS says',
    isOurChoice: true,
  },
  'record-gone': {
    rule: 'A record that left its stream while it was tried is tried no more',
    limit: 'the stream’s retention',
    source: `${ON_FAILURE}: "until the record expires"; that a destination is told is ours`,
  },
  bisect: {
    rule: 'A failed batch is split in two, its first half tried first, until its poison record is alone',
    source: ON_FAILURE,
  },
  'bisect-free': {
    rule: 'A split spends no retry',
    source: ON_FAILURE,
  },
  'bisect-report': {
    rule: 'With both, a batch is split at the number that the function returned, and only the rest is tried again',
    source: REPORTING,
  },
  'report-spends': {
    rule: 'A report of later records spends a retry where batches are not split',
    source: 'AWS counts attempts of a batch, and says of no answer that it is free',
    isOurChoice: true,
  },
  'failure-document': {
    rule: 'A failure document names function, condition, attempts, shard, sequence numbers, arrivals and stream',
    source: ON_FAILURE,
  },
  'failure-bucket': {
    rule: 'A bucket receives the event itself as well, under the mapping, the shard and the time',
    source: ON_FAILURE,
  },
  'failure-queue': {
    rule: 'A queue receives the document without the records',
    source: ON_FAILURE,
  },
  'failure-uninvoked': {
    rule: 'A document of records that no invocation had has no responseContext',
    source: 'AWS shows none of such documents; there was no response',
    isOurChoice: true,
  },
  'failure-refused': {
    rule: 'A destination that refuses costs the records, is told, and holds up nothing',
    source: 'lambda/latest/dg/monitoring-metrics-types: DestinationDeliveryFailures',
  },
  'failure-nowhere': {
    rule: 'Without a destination what is given up is lost, and the shard goes on',
    source: ON_FAILURE,
  },
  'failure-once': {
    rule: 'What was given up is not tried again after a restart',
    source: ON_FAILURE,
  },
  'stop-spends-none': {
    rule: 'A batch whose function is ended with the mapping spends no attempt',
    source: 'an end of the local cloud is no failure of the records',
    isOurChoice: true,
  },
} as const satisfies Rules;
