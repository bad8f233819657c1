import type { Rules } from './rule.ts';

const GUIDE = 'AWSSimpleQueueService/latest/SQSDeveloperGuide';
const api = (action: string) => `SQS API 2012-11-05, ${action}`;

export const QUEUES_RULES = {
  'queue-made': {
    rule: 'a queue is made with SQS’s defaults, and its URL ends in account and name',
    source: api('CreateQueue'),
  },
  'queue-url-host': {
    rule: 'a queue’s URL begins with the local cloud’s endpoint, and only its last part names the queue',
    source: 'clients send to the endpoint they are given, whatever the URL’s host',
    isOurChoice: true,
  },
  'queue-made-again': {
    rule: 'a queue made again with the same attributes is the same queue; with others it is refused',
    source: api('CreateQueue, QueueNameExists'),
  },
  'queue-name': {
    rule: 'a queue’s name is letters, digits, hyphens and underscores',
    limit: '1–80 characters',
    source: `${GUIDE}/sqs-quotas`,
  },
  'queue-attributes-bounds': {
    rule: 'an attribute out of its bounds is refused by its name',
    limit:
      'DelaySeconds 0–900, MaximumMessageSize 1,024–1,048,576, MessageRetentionPeriod 60–1,209,600, ReceiveMessageWaitTimeSeconds 0–20, VisibilityTimeout 0–43,200',
    source: api('SetQueueAttributes'),
  },
  'queue-attribute-unknown': {
    rule: 'an attribute that SQS does not know is refused by its name',
    source: api('GetQueueAttributes, InvalidAttributeName'),
  },
  'queue-attribute-kept': {
    rule: 'setting one attribute leaves the others as they were',
    source: api('SetQueueAttributes'),
  },
  'queue-attribute-unsupported': {
    rule: 'RedriveAllowPolicy and a DeduplicationScope of message groups are refused by name',
    source: 'they are not emulated, and what is not emulated is never ignored',
    isOurChoice: true,
  },
  'queue-encryption': {
    rule: 'encryption settings and a queue’s policy are taken, and change nothing',
    source: 'nothing leaves the machine, and the caller’s role alone decides',
    isOurChoice: true,
  },
  'queue-absent': {
    rule: 'an unknown queue is QueueDoesNotExist, for old clients AWS.SimpleQueueService.NonExistentQueue',
    source: api('QueueDoesNotExist, awsQueryError'),
  },
  'queue-list': {
    rule: 'queues are listed by prefix, a page at a time',
    limit: '1–1,000 a page',
    source: api('ListQueues'),
  },
  'queue-deleted': {
    rule: 'a deleted queue is gone with its messages',
    source: api('DeleteQueue'),
  },
  'queue-purge': {
    rule: 'a purge removes every message, and a second within a minute is refused',
    limit: '60 s',
    source: api('PurgeQueue, PurgeQueueInProgress'),
  },
  'queue-counts': {
    rule: 'a queue tells its visible, hidden and delayed messages apart',
    source: api('GetQueueAttributes'),
  },
  'queue-counts-exact': {
    rule: 'the approximate numbers are exact',
    source: 'AWS’s lag by up to a minute; a test that waits for them would be slow for nothing',
    isOurChoice: true,
  },
  'send-receive': {
    rule: 'a message comes back as it was sent, with its MD5',
    source: api('SendMessage, ReceiveMessage'),
  },
  'send-body-size': {
    rule: 'a message is as long as its queue allows, attributes included, and no longer',
    limit: '1 MiB',
    source: `${GUIDE}/quotas-messages`,
  },
  'send-body-empty': {
    rule: 'a message without a body is refused',
    source: api('SendMessage, MissingParameter'),
  },
  'send-body-characters': {
    rule: 'a body with a character outside XML’s is refused',
    source: api('SendMessage, InvalidMessageContents'),
  },
  'send-delay': {
    rule: 'a delayed message is seen when its delay is over, the message’s own before the queue’s',
    limit: '0–900 s',
    source: `${GUIDE}/sqs-message-timers`,
  },
  'send-batch': {
    rule: 'a batch sends each of its messages, or says why not',
    limit: '1–10 entries',
    source: api('SendMessageBatch'),
  },
  'send-batch-refused': {
    rule: 'a batch of none, of more than ten, with a wrong id or an id twice is refused whole',
    source: api('SendMessageBatch, errors'),
  },
  'send-batch-bytes': {
    rule: 'the messages of a batch together are at most as long as one may be',
    limit: '1 MiB',
    source: `${GUIDE}/quotas-messages`,
  },
  'send-unsupported': {
    rule: 'a parameter that SQS does not know is refused by its name',
    source: 'AWS ignores it; a test should not',
    isOurChoice: true,
  },
  'attributes-digest': {
    rule: 'message attributes have the digest that clients compare',
    source: `${GUIDE}/sqs-message-metadata`,
  },
  'attributes-asked': {
    rule: 'attributes come when they are asked for: by name, by prefix, or all',
    source: api('ReceiveMessage, MessageAttributeNames'),
  },
  'attributes-refused': {
    rule: 'an attribute with a wrong name, type or value is refused',
    limit: '10 attributes, names of 256 characters',
    source: `${GUIDE}/sqs-message-metadata`,
  },
  'attributes-system': {
    rule: 'system attributes say when a message was sent and how often it was received',
    source: api('ReceiveMessage, MessageSystemAttributeNames'),
  },
  'receive-count': {
    rule: 'one message is received unless more are asked for',
    limit: '1–10',
    source: api('ReceiveMessage, MaxNumberOfMessages'),
  },
  'receive-order': {
    rule: 'a standard queue gives its messages out in the order they were sent',
    source: 'AWS promises best effort only; one order is easier to read',
    isOurChoice: true,
  },
  'receive-bounds': {
    rule: 'a count, visibility timeout or wait out of its bounds is refused by its name',
    limit: '1–10 messages, 0–43,200 s, 0–20 s',
    source: api('ReceiveMessage'),
  },
  'receive-none': {
    rule: 'an empty queue answers without messages',
    source: api('ReceiveMessage'),
  },
  'receive-hides': {
    rule: 'a received message is hidden until its visibility timeout has passed',
    limit: '30 s by default',
    source: `${GUIDE}/sqs-visibility-timeout`,
  },
  'receive-long': {
    rule: 'a long poll ends as soon as a message comes, or when its time is over',
    limit: '20 s',
    source: `${GUIDE}/sqs-short-and-long-polling`,
  },
  'receive-long-hidden': {
    rule: 'a long poll sees a message whose visibility timeout ends while it waits',
    source: `${GUIDE}/sqs-short-and-long-polling`,
  },
  'receive-in-flight': {
    rule: 'a queue gives out no more while too many messages are in flight',
    limit: '120,000',
    source: api('ReceiveMessage, OverLimit'),
  },
  'receive-once': {
    rule: 'of receivers at once, each gets messages of its own',
    source: `${GUIDE}/sqs-visibility-timeout`,
  },
  'delete-last-receipt': {
    rule: 'a message is deleted with its last receipt; deleting it again is no error',
    source: api('DeleteMessage'),
  },
  'delete-old-receipt': {
    rule: 'an older receipt deletes nothing, and is no error',
    source: 'AWS says that it may or may not; the worse case finds more',
    isOurChoice: true,
  },
  'delete-wrong-receipt': {
    rule: 'what is no receipt of this queue is refused',
    source: api('DeleteMessage, ReceiptHandleIsInvalid'),
  },
  'delete-batch': {
    rule: 'a batch deletes each of its messages, or says why not',
    source: api('DeleteMessageBatch'),
  },
  'visibility-changed': {
    rule: 'a receiver may hide its message for longer, or give it back at once',
    source: api('ChangeMessageVisibility'),
  },
  'visibility-not-in-flight': {
    rule: 'a message that is not in flight cannot be hidden',
    source: api('ChangeMessageVisibility, MessageNotInflight'),
  },
  'visibility-total': {
    rule: 'a message is hidden for at most twelve hours after it was first received',
    limit: '43,200 s',
    source: `${GUIDE}/sqs-visibility-timeout`,
  },
  'visibility-batch': {
    rule: 'a batch changes each visibility, or says why not',
    source: api('ChangeMessageVisibilityBatch'),
  },
  retention: {
    rule: 'a message that is older than the queue keeps is gone',
    limit: '4 days by default',
    source: `${GUIDE}/sqs-configure-queue-parameters`,
  },
  redrive: {
    rule: 'a message received as often as allowed goes to the dead letters instead of a next receiver',
    limit: 'maxReceiveCount 1–1,000',
    source: `${GUIDE}/sqs-dead-letter-queues`,
  },
  'redrive-age': {
    rule: 'a standard message keeps its age in the dead-letter queue; a FIFO one begins anew',
    source: `${GUIDE}/sqs-dead-letter-queues`,
  },
  'redrive-refused': {
    rule: 'a redrive policy names a queue that is there and of the same type',
    source: `${GUIDE}/sqs-dead-letter-queues`,
  },
  'fifo-order': {
    rule: 'a FIFO queue keeps the order of a group: nothing of it comes while one is worked on',
    source: `${GUIDE}/FIFO-queues-understanding-logic`,
  },
  'fifo-dedupe': {
    rule: 'a message sent again under its deduplication id is taken, and not given out twice',
    limit: '5 minutes',
    source: `${GUIDE}/FIFO-queues-exactly-once-processing`,
  },
  'fifo-content-dedupe': {
    rule: 'with content-based deduplication the body is the deduplication id',
    source: `${GUIDE}/FIFO-queues-exactly-once-processing`,
  },
  'fifo-refused': {
    rule: 'a FIFO queue asks for a group and a deduplication id, and takes no delay of a message',
    source: api('SendMessage'),
  },
  'fifo-name': {
    rule: 'a queue is FIFO when its name ends in .fifo and its attribute says so, and not otherwise',
    source: api('CreateQueue, FifoQueue'),
  },
  kept: {
    rule: 'queues and messages of a kept folder are there at the next start',
    source: 'AWS’s do not go away either',
    isOurChoice: true,
  },
  'services-send': {
    rule: 'a service sends by a queue’s name or ARN',
    source: 'AWS does so inside; its form is not seen',
    isOurChoice: true,
  },
} as const satisfies Rules;
