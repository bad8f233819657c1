/** Shows how far long work is: one line that is drawn again, or a line now and then. */
import type { Io } from './io.ts';
import { fit } from './render/text.ts';
import { redrawnBlock } from './screen.ts';

const DRAW_EVERY_MS = 500;
const SAY_EVERY_MS = 10_000;

/** On standard error: standard output is the answer. */
export function showProgress(
  lineAt: (nowMs: number) => string,
  { err, terminalWidth: width }: Io,
): { stop(): void } {
  const block = redrawnBlock(err);
  const show = (): void => {
    const line = lineAt(Date.now());
    if (width === undefined) err(`${line}\n`);
    else block.draw([fit(line, width)]);
  };
  const timer = setInterval(show, width === undefined ? SAY_EVERY_MS : DRAW_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      if (width !== undefined) block.draw([]);
    },
  };
}
