/** A stage's pollers, as an operator holds them. */
import { dynamoPollControl } from '#adapters/dynamodb/poll-control';
import { stageNames } from '#config/resource-names';
import type { PollControl } from '#ports/poll-control';
import type { Connection } from './connection.ts';

export function pollControl({ dynamodb }: Connection, stage: string): PollControl {
  const tableName = stageNames(stage).stateTable;
  return dynamoPollControl(dynamodb, { tableName });
}
