/** All event source mappings of a cloud: those of the templates, and those made through the API. */
import { madeMappings } from './lambda/mapping/made-mappings.ts';
import { createMappingBook } from './lambda/mapping/mapping-book.ts';
import type { MappedFunction, MappingBookDeps } from './lambda/mapping/mapping-book.ts';
import { createMappingChanges } from './lambda/mapping/mapping-changes.ts';
import type { MappingChanges } from './lambda/mapping/mapping-changes.ts';
import type { MappingProperties } from './lambda/mapping/mapping-settings.ts';
import { RANDOM_ID } from './new-id.ts';

export interface Mappings {
  addFunction(mapped: MappedFunction): void;
  /**
   * Make a mapping of a template; `uuid` is what Ref answers, and what is measured is measured by it.
   *
   * @throws {Error} when the properties, the function or the stream are not possible.
   */
  add(properties: MappingProperties, uuid: string): void;
  start(): void;
  /** Waits for the batches under way; what they finish is kept. */
  stop(): Promise<void>;
  isIdle(): boolean;
  /** What Lambda's API does with them. */
  readonly changes: MappingChanges;
}

export interface MappingsDeps extends MappingBookDeps {
  /** Why a function's role may not read a stream; those of templates are asked before. */
  refusalOf?(functionName: string, streamArn: string): string | undefined;
}

export function createMappings(deps: MappingsDeps): Mappings {
  const { clock, storage, newId = RANDOM_ID, onEvent } = deps;
  const book = createMappingBook(deps);
  const made = madeMappings(storage);
  const onDefect = (error: unknown): void => onEvent({ kind: 'defect', error });
  let isRunning = false;

  const changes = createMappingChanges(book, {
    clock,
    storage,
    newId,
    made,
    isRunning: () => isRunning,
    refusalOf: (functionName, streamArn) => deps.refusalOf?.(functionName, streamArn),
    onDefect,
  });
  /** What was made before a restart; where its function, its stream or its pair is gone, so is it. */
  const resume = (): void => {
    for (const { uuid, properties } of made.list()) {
      if (book.entries.has(uuid)) continue;
      try {
        book.enter(uuid, properties, true);
      } catch (error) {
        made.remove(uuid);
        onDefect(error);
      }
    }
  };
  return {
    addFunction: (mapped) => void book.functions.set(mapped.functionName, mapped),
    add: (properties, uuid) => void book.enter(uuid, properties, false),
    start() {
      resume();
      isRunning = true;
      for (const { mapping } of book.entries.values()) mapping.start();
    },
    async stop() {
      isRunning = false;
      await Promise.all([...book.entries.values()].map(({ mapping }) => mapping.stop()));
    },
    isIdle: () =>
      [...book.entries.values()].every(
        ({ mapping, state }) => (state === 'Enabled' || state === 'Disabled') && mapping.isIdle(),
      ),
    changes,
  };
}
