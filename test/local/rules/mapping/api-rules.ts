import type { Rules } from '#test/local/rules/rule';

const API = 'Lambda API 2015-03-31';
const CREATE = `${API}, CreateEventSourceMapping`;

/** Making, showing, changing and removing mappings. */
export const API_RULES = {
  'create-defaults': {
    rule: 'A mapping is made with AWS’s defaults where nothing is said',
    source: CREATE,
  },
  'create-answer': {
    rule: 'CreateEventSourceMapping answers the whole mapping, in State Creating',
    limit: '202',
    source: CREATE,
  },
  'create-reads': {
    rule: 'A mapping that was made through the API reads its stream at once, and outlives a restart',
    source: CREATE,
  },
  'create-twice': {
    rule: 'A second mapping of the same stream and function is refused: ResourceConflictException',
    source: CREATE,
  },
  'create-no-function': {
    rule: 'A mapping of a function that is not there is refused: ResourceNotFoundException',
    source: CREATE,
  },
  'create-no-stream': {
    rule: 'A mapping of a stream that is not there is refused: InvalidParameterValueException',
    source: 'AWS says only that it cannot access the stream',
    isOurChoice: true,
  },
  'create-no-right': {
    rule: 'A mapping whose function’s role may not read the stream is refused: InvalidParameterValueException',
    source: 'lambda/latest/dg/services-kinesis-create',
  },
  ranges: {
    rule: 'A number out of its range is refused, naming the parameter',
    source: CREATE,
  },
  'range-age': {
    rule: 'A MaximumRecordAgeInSeconds of 0 to 59 is refused',
    limit: '-1, or 60 to 604,800',
    source: `${API}, EventSourceMappingConfiguration`,
  },
  'not-kinesis': {
    rule: 'A parameter of other sources is refused, naming it: ScalingConfig, ProvisionedPollerConfig, SelfManagedEventSource …',
    source: CREATE,
  },
  'start-refused': {
    rule: 'StartingPosition is one of three, and a timestamp is for AT_TIMESTAMP and not in the future',
    source: CREATE,
  },
  'destination-refused': {
    rule: 'A destination is a bucket or a standard queue; a FIFO queue is refused',
    source: `${API}, OnFailure`,
  },
  'metrics-config': {
    rule: 'MetricsConfig takes EventCount, and no metric of other sources',
    source: 'lambda/latest/dg/monitoring-metrics-types',
  },
  'key-inert': {
    rule: 'KMSKeyArn and Tags are accepted, and do nothing',
    source: CREATE,
  },
  get: {
    rule: 'GetEventSourceMapping shows a mapping and how its last batch went',
    source: `${API}, GetEventSourceMapping`,
  },
  'get-unknown': {
    rule: 'A UUID of no mapping is refused: ResourceNotFoundException',
    source: `${API}, GetEventSourceMapping`,
  },
  list: {
    rule: 'ListEventSourceMappings shows those of a function, by name or ARN, or of a stream',
    source: `${API}, ListEventSourceMappings`,
  },
  'list-pages': {
    rule: 'A list comes in pages of MaxItems, each with the marker of the next',
    limit: '1 to 10,000, and at most 100 a page',
    source: `${API}, ListEventSourceMappings`,
  },
  update: {
    rule: 'UpdateEventSourceMapping changes what it names and keeps the rest',
    limit: '202',
    source: `${API}, UpdateEventSourceMapping`,
  },
  'update-fixed': {
    rule: 'Stream and starting position cannot be changed',
    source: `${API}, UpdateEventSourceMapping, has no such members`,
  },
  'update-busy': {
    rule: 'A mapping that is changing is not changed or removed: ResourceInUseException',
    source: `${API}, UpdateEventSourceMapping`,
  },
  states: {
    rule: 'A mapping is Creating, Enabling, Disabling, Updating or Deleting until its work is done, and then Enabled, Disabled or gone',
    source: `${API}, EventSourceMappingConfiguration; how long is ours: until its invocations under way end`,
  },
  delete: {
    rule: 'A mapping that is deleted is shown once more, Deleting, and its places are forgotten',
    limit: '202',
    source: `${API}, DeleteEventSourceMapping`,
  },
  'ref-uuid': {
    rule: 'Ref of a mapping in a template is its UUID, in documents and in the API',
    source:
      'AWSCloudFormation/latest/UserGuide/aws-resource-lambda-eventsourcemapping, return values',
  },
  'template-again': {
    rule: 'What was changed of a template’s mapping through the API is as the template says after a restart',
    source: 'the template is what the local cloud is started with',
    isOurChoice: true,
  },
} as const satisfies Rules;
