/** A block of lines at the bottom of a terminal that is drawn over itself. */
export interface Screen {
  draw(lines: readonly string[]): void;
}

const UP = (lines: number): string => (lines === 0 ? '' : `\u001b[${lines}A`);
const CLEAR_BELOW = '\u001b[0J';

export function redrawnBlock(out: (text: string) => void): Screen {
  let drawn = 0;
  return {
    draw(lines) {
      out(`${UP(drawn)}\r${CLEAR_BELOW}${lines.map((line) => `${line}\n`).join('')}`);
      drawn = lines.length;
    },
  };
}
