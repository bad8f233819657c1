/** What one environment writes, line by line, with the invocation it was written in. */
import type { InvokeResult } from '#local/contracts';
import { splitLines } from './split-lines.ts';
import type { LineSplitter } from './split-lines.ts';

export interface LogLine {
  readonly functionName: string;
  /** Absent while the function's module is imported. */
  readonly requestId?: string;
  readonly line: string;
}

export interface InvocationAnswer {
  readonly requestId: string;
  readonly result: InvokeResult;
  /** Of the process so far; unknown when it died or is a foreign runtime. */
  readonly rssKbMax: number | undefined;
  readonly logTail: string;
}

/** @source Lambda API, Invoke, LogType Tail: the last 4 KB. */
const TAIL_CHARS_MAX = 4096;

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
  const write = (line: string): void => {
    tail = `${tail}${line}\n`.slice(-TAIL_CHARS_MAX);
    onLog({ functionName, line, ...(requestId !== undefined && { requestId }) });
  };
  const stdout = splitLines(write);
  const stderr = splitLines(write);
  return {
    stdout,
    stderr,
    begin(id) {
      requestId = id;
      tail = '';
    },
    platform: write,
    tail: () => tail,
    end() {
      stdout.end();
      stderr.end();
    },
  };
}
