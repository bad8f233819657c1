import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

const PAGE = 'docs/reference/benchmarks.md';

/** Puts what was measured, with the day and the machine, behind a mark of the page, up to the next chapter. */
export function writeSection(
  mark: 'generated' | 'publishing' | 'consuming' | 'sources',
  text: string,
): void {
  const line = `<!-- ${mark} below -->`;
  const page = readFileSync(PAGE, 'utf8');
  const start = page.indexOf(line) + line.length;
  if (start < line.length) throw new Error(`${PAGE} has no mark '${line}'`);
  const next = page.indexOf('\n## ', start);
  const rest = next < 0 ? '' : `\n${page.slice(next + 1)}`;
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(PAGE, `${page.slice(0, start)}\n\n${today}, ${machine}\n\n${text.trim()}\n${rest}`);
}
