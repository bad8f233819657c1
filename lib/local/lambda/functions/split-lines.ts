/** Cuts what a process writes into lines. */
import { StringDecoder } from 'node:string_decoder';

export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** Gives out a last line that had no end. */
  end(): void;
}

/** Calls `onLine` once per line, without its end; characters cut between chunks are joined. */
export function splitLines(onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let rest = '';

  const take = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  };

  return {
    push(chunk) {
      take(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
    },
    end() {
      take(decoder.end());
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}
