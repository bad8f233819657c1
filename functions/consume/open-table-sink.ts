/** The table of a consumer, at the pace it bears. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoRecordTable } from '#adapters/dynamodb/record-table';
import { systemChance as chance } from '#adapters/system/chance';
import { systemClock as clock } from '#adapters/system/clock';
import type { PipelineSettings, TableConsumerSettings } from '#config/pipeline-settings';
import { keyNames } from '#config/record-key';
import { tablePace } from '#pipeline/table-pace';
import { tableSink } from '#pipeline/table-sink';
import type { Report } from '#ports/report';
import type { Sink } from '#ports/sink';

/** What is opened once there are a client and a report. */
export function openTableSink(
  { name: pipeline, record }: PipelineSettings,
  { name, mode, attributes, tombstoneDays, concurrency }: TableConsumerSettings,
  tableName: string,
): (client: DynamoDBClient, report: Report) => Sink {
  const rules = { keyNames: keyNames(record.key), mode, attributes, tombstoneDays };
  return (client, report) => {
    const pace = tablePace({ pipeline, consumer: name, concurrency }, { clock, chance, report });
    return tableSink(dynamoRecordTable(client, { tableName, clock, ...rules }), clock, pace);
  };
}
