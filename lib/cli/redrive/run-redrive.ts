/** Runs a redrive in the cloud that a connection leads to, until it is done or interrupted. */
import { consumerFunction } from '#adapters/kinesis/consumer-function';
import { bucketKeptRecords } from '#adapters/objects/kept-records';
import { systemClock as clock } from '#adapters/system/clock';
import type { Connection } from '#cli/connection';
import { INTERRUPTED, listenForInterrupt } from '#cli/interrupt';
import type { Io } from '#cli/io';
import type { QuarantineBucket } from '#cli/quarantine/open-quarantine';
import { progressLine } from '#cli/render/redrive';
import { CALL_BYTES_MAX } from '#core/batch/cut-calls';
import { redrive } from '#pipeline/redrive';
import type { KeptEntry, RedriveCounts, Redriven } from '#pipeline/redrive';

export interface RedriveJob {
  readonly connection: Connection;
  readonly bucket: QuarantineBucket;
  readonly functionName: string;
  readonly batchSize: number;
  readonly recordsPerSec: number;
  /** See KeptRecordsOptions. */
  readonly edits?: ReadonlyMap<string, Uint8Array>;
}

/** With pauses of 1, 2 and 4 seconds between. */
const TRIES_MAX = 4;
const TOLD_EVERY_MS = 2_000;

export async function runRedrive(
  { connection, bucket, functionName, batchSize, recordsPerSec, edits }: RedriveJob,
  entries: readonly KeptEntry[],
  io: Pick<Io, 'err'>,
): Promise<Redriven> {
  const { signal, release } = listenForInterrupt(() => process.exit(INTERRUPTED));
  let toldMs = clock.nowMs();
  const onProgress = (counts: RedriveCounts): void => {
    if (clock.nowMs() - toldMs < TOLD_EVERY_MS) return;
    toldMs = clock.nowMs();
    io.err(`${progressLine(counts)}\n`);
  };
  const limits = { recordsMax: batchSize, bytesMax: CALL_BYTES_MAX, triesMax: TRIES_MAX };
  try {
    return await redrive(
      entries,
      { ...limits, recordsPerSec, signal },
      {
        call: consumerFunction(await connection.signed('lambda'), functionName),
        kept: bucketKeptRecords(bucket, { clock, ...(edits && { edits }) }),
        clock,
        onProgress,
      },
    );
  } finally {
    release();
  }
}
