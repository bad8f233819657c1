/** Tags of streams and of consumers. */
import type { JsonInput } from '#local/aws-json';
import { consumerByArn } from './consumers.ts';
import { refused } from './refused.ts';
import type { KinesisState } from './state.ts';
import { streamOf } from './state.ts';
import type { Stream } from './stream.ts';

export type Tags = Readonly<Record<string, string>>;

/** @source Kinesis Developer Guide, "Tag your resources": 50 a resource. */
const TAGS_MAX = 50;
/** @source Kinesis Developer Guide, "Tag your resources": restrictions. */
const TAG_CHARACTERS = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

export function addTagsToStream(state: KinesisState, input: JsonInput): object {
  const stream = streamOf(state, input);
  stream.settings.tags = withTags(stream.settings.tags, input['Tags'] as Tags);
  state.streams.saveStream(stream);
  return {};
}

export function removeTagsFromStream(state: KinesisState, input: JsonInput): object {
  const stream = streamOf(state, input);
  stream.settings.tags = withoutTags(stream.settings.tags, input['TagKeys'] as readonly string[]);
  state.streams.saveStream(stream);
  return {};
}

export function listTagsForStream(state: KinesisState, input: JsonInput): object {
  const { tags } = streamOf(state, input).settings;
  const { ExclusiveStartTagKey: start, Limit: limit = TAGS_MAX } = input as {
    ExclusiveStartTagKey?: string;
    Limit?: number;
  };
  const rest = listed(tags).filter(({ Key }) => start === undefined || Key > start);
  return { Tags: rest.slice(0, limit), HasMoreTags: rest.length > limit };
}

export function tagResource(state: KinesisState, input: JsonInput): object {
  const resource = resourceOf(state, input);
  resource.save(withTags(resource.tags, input['Tags'] as Tags));
  return {};
}

export function untagResource(state: KinesisState, input: JsonInput): object {
  const resource = resourceOf(state, input);
  resource.save(withoutTags(resource.tags, input['TagKeys'] as readonly string[]));
  return {};
}

export function listTagsForResource(state: KinesisState, input: JsonInput): object {
  return { Tags: listed(resourceOf(state, input).tags) };
}

/** @throws {ServiceError} when a tag is not possible, or the tags are too many. */
export function withTags(present: Tags, added: Tags): Tags {
  for (const [key, value] of Object.entries(added)) {
    if (!TAG_CHARACTERS.test(key) || !TAG_CHARACTERS.test(value)) {
      throw refused(
        `Some tags contain invalid characters: ${key}. Valid characters: Unicode letters, digits, ` +
          'white space, _ . : / = + - @.',
      );
    }
    if (key.startsWith('aws:')) throw refused(`Tag keys cannot start with aws:, as ${key} does.`);
  }
  const tags = { ...present, ...added };
  const count = Object.keys(tags).length;
  if (count > TAGS_MAX) {
    throw refused(`A resource cannot have more than ${TAGS_MAX} tags: these would be ${count}.`);
  }
  return tags;
}

function withoutTags(present: Tags, keys: readonly string[]): Tags {
  return Object.fromEntries(Object.entries(present).filter(([key]) => !keys.includes(key)));
}

function listed(tags: Tags): readonly { readonly Key: string; readonly Value: string }[] {
  return Object.entries(tags)
    .map(([Key, Value]) => ({ Key, Value }))
    .sort((one, other) => (one.Key < other.Key ? -1 : 1));
}

interface Tagged {
  readonly tags: Tags;
  save(tags: Tags): void;
}

function resourceOf(state: KinesisState, { ResourceARN }: JsonInput): Tagged {
  const arn = String(ResourceARN);
  const [streamArn = '', ofConsumer] = arn.split('/consumer/');
  const stream: Stream = streamOf(state, { StreamARN: streamArn });
  const { settings } = stream;
  const consumer = ofConsumer === undefined ? undefined : consumerByArn(stream, arn);
  return {
    tags: consumer?.tags ?? settings.tags,
    save(tags) {
      if (consumer === undefined) settings.tags = tags;
      else {
        const others = settings.consumers.filter((other) => other !== consumer);
        settings.consumers = [...others, { ...consumer, tags }];
      }
      state.streams.saveStream(stream);
    },
  };
}
