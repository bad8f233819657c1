/** What one environment writes, line by line, with the invocation it was written in. */
import type { InvokeResult } from '#local/contracts';
import { splitLines } from './split-lines.ts';
import type { LineSplitter } from './split-lines.ts';

export interface LogLine {
  readonly functionName: string;
  /** Absent while the function's module is imported. */
  readonly requestId?: string;
  readonly line: string;
  /** Lambda's own: START, END, REPORT, and why a process was ended. */
  readonly isPlatform?: true;
}

export interface InvocationAnswer {
  readonly requestId: string;
  readonly result: InvokeResult;
  /** Of the process so far; unknown when it died or is a foreign runtime. */
  readonly rssKbMax: number | undefined;
  readonly logTail: string;
  /** From hand-over to answer. */
  readonly durationMs: number;
  /** Of a start of the process for this invocation. */
  readonly initMs?: number;
}

/** @source Lambda API, Invoke, LogType Tail: the last 4 KB. */
const TAIL_BYTES_MAX = 4096;

export interface InvocationLog {
  readonly stdout: LineSplitter;
  readonly stderr: LineSplitter;
  /** Lines from now on belong to this invocation. */
  begin(requestId: string): void;
  /** Writes a line of the platform's own. */
  platform(line: string): void;
  /** The last 4 KB of the current invocation, or of the start of the process. */
  tail(): string;
  end(): void;
}

export function invocationLog(functionName: string, onLog: (line: LogLine) => void): InvocationLog {
  let requestId: string | undefined;
  let tail = '';
  const write = (line: string, own: { isPlatform?: true } = {}): void => {
    tail = tailOf(`${tail}${line}\n`);
    onLog({ functionName, line, ...own, ...(requestId !== undefined && { requestId }) });
  };
  const stdout = splitLines((line) => write(line));
  const stderr = splitLines((line) => write(line));
  return {
    stdout,
    stderr,
    begin(id) {
      requestId = id;
      tail = '';
    },
    platform: (line) => write(line, { isPlatform: true }),
    tail: () => tail,
    end() {
      stdout.end();
      stderr.end();
    },
  };
}

/** Whole characters, at most so many bytes. */
function tailOf(text: string): string {
  if (Buffer.byteLength(text) <= TAIL_BYTES_MAX) return text;
  const cut = Buffer.from(text).subarray(-TAIL_BYTES_MAX);
  const first = cut.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return cut.subarray(first).toString();
}
