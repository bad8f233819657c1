/** What Lambda's API does with event source mappings; each change begins at once and ends later. */
import { ServiceError } from '#local/aws-json';
import type { Clock, NewId, Storage } from '#local/contracts';
import { arn } from '#local/template/arns';
import { lanePlaces } from './lane-places.ts';
import type { MadeMappings } from './made-mappings.ts';
import { functionIn, restingState } from './mapping-book.ts';
import type { MappingBook, MappingEntry } from './mapping-book.ts';
import { describeMapping } from './mapping-description.ts';
import type { MappingState } from './mapping-description.ts';
import { MappingError } from './mapping-error.ts';
import { functionNameIn } from './mapping-settings.ts';
import type { MappingProperties, MappingSettings } from './mapping-settings.ts';

/** A mapping as Lambda's API shows it. */
export type MappingAnswer = Readonly<Record<string, unknown>>;

/** Each throws a ServiceError where Lambda refuses. */
export interface MappingChanges {
  create(properties: MappingProperties): MappingAnswer;
  get(uuid: string): MappingAnswer;
  list(of: {
    readonly functionName?: string;
    readonly streamArn?: string;
  }): readonly MappingAnswer[];
  /** Stops where it is and goes on from there, changed: nothing is replayed or lost. */
  update(uuid: string, changes: MappingProperties): MappingAnswer;
  remove(uuid: string): MappingAnswer;
}

export interface MappingChangesDeps {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly newId: NewId;
  readonly made: MadeMappings;
  /** False: what is made or changed does not start yet. */
  isRunning(): boolean;
  /** Why a function's role may not read a stream. */
  refusalOf(functionName: string, streamArn: string): string | undefined;
  onDefect(error: unknown): void;
}

export function createMappingChanges(book: MappingBook, deps: MappingChangesDeps): MappingChanges {
  const { clock, storage, newId, made, isRunning } = deps;
  const describe = (entry: MappingEntry): MappingAnswer =>
    describeMapping({
      ...entry,
      arn: arn('lambda', `event-source-mapping:${entry.uuid}`),
      functionArn: functionIn(book.functions, entry.settings.functionName).functionArn,
    });
  /** Shows a state until the work is done. */
  const pass = (
    entry: MappingEntry,
    state: MappingState,
    work: () => Promise<void>,
  ): MappingAnswer => {
    Object.assign(entry, { state, lastModifiedMs: clock.nowMs() });
    const answer = describe(entry);
    work().then(() => {
      Object.assign(entry, { state: restingState(entry.settings), lastModifiedMs: clock.nowMs() });
    }, deps.onDefect);
    return answer;
  };

  return {
    create: (properties) =>
      refused(() => {
        refuseUnreadable(book.check(properties), deps);
        const entry = book.enter(newId(), properties, true);
        made.save(entry.uuid, properties);
        return pass(entry, 'Creating', async () => {
          if (isRunning()) entry.mapping.start();
        });
      }),
    get: (uuid) => describe(entryIn(book, uuid)),
    list: ({ functionName, streamArn }) =>
      [...book.entries.values()]
        .filter(({ settings }) => streamArn === undefined || settings.streamArn === streamArn)
        .filter(
          ({ settings }) =>
            functionName === undefined || settings.functionName === functionNameIn(functionName),
        )
        .map(describe),
    update: (uuid, changes) =>
      refused(() => {
        const entry = entryIn(book, uuid);
        refuseBusy(entry);
        const { mapping, settings: before } = entry;
        const properties = { ...entry.properties, ...changes };
        const settings = book.check(properties, uuid);
        refuseUnreadable(settings, deps);
        Object.assign(entry, { properties, settings });
        if (entry.isMade) made.save(uuid, properties);
        return pass(entry, passingState(before, settings), async () => {
          await mapping.stop();
          entry.mapping = book.make(uuid, settings);
          if (isRunning()) entry.mapping.start();
        });
      }),
    remove(uuid) {
      const entry = entryIn(book, uuid);
      refuseBusy(entry);
      made.remove(uuid);
      return pass(entry, 'Deleting', async () => {
        await entry.mapping.stop();
        book.entries.delete(uuid);
        lanePlaces(storage, uuid).forget();
      });
    },
  };
}

function entryIn({ entries }: MappingBook, uuid: string): MappingEntry {
  const entry = entries.get(uuid);
  if (entry !== undefined) return entry;
  throw new ServiceError(
    'ResourceNotFoundException',
    'The resource you requested does not exist.',
    { status: 404 },
  );
}

/** @source Lambda Developer Guide, "Process Amazon Kinesis Data Streams records": execution role permissions. */
function refuseUnreadable(
  { functionName, streamArn }: MappingSettings,
  { refusalOf }: MappingChangesDeps,
): void {
  const refusal = refusalOf(functionName, streamArn);
  if (refusal !== undefined) throw new ServiceError('InvalidParameterValueException', refusal);
}

function passingState(before: MappingSettings, after: MappingSettings): MappingState {
  if (before.isEnabled === after.isEnabled) return 'Updating';
  return after.isEnabled ? 'Enabling' : 'Disabling';
}

/** @source Lambda API 2015-03-31, UpdateEventSourceMapping: ResourceInUseException. */
function refuseBusy({ state, uuid }: MappingEntry): void {
  if (state === 'Enabled' || state === 'Disabled') return;
  throw new ServiceError(
    'ResourceInUseException',
    `The event source mapping ${uuid} cannot be changed while it is ${state}.`,
  );
}

function refused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new ServiceError(error.code, error.message);
  }
}
