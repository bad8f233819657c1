/** Keeps what a container said last, for whoever asks why it failed. */
import { readFile, writeFile } from 'node:fs/promises';

const LINES = 200;

/** Write the last lines of a log beside it; answers the path, which nothing removes. */
export async function keepLastLines(logFile: string): Promise<string> {
  const path = logFile.replace(/\.log$/, '-failure.log');
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
  await writeFile(path, `${lines.slice(-LINES).join('\n')}\n`);
  return path;
}
