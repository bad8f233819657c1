/** Words and numbers as the commands print them. */
import { visible } from './visible.ts';

/** @example count(21001); // '21,001' */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** @example plural(1, 'row'); // '1 row' */
export function plural(value: number, one: string): string {
  return `${count(value)} ${one}${value === 1 ? '' : 's'}`;
}

/** @example capital('the source'); // 'The source' */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @example seconds(1234); // '1.2 s' */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** A time span in the unit a person would choose. */
export function span(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return seconds(ms);
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}

/** @example bytesText(4_123_000); // '4.1 MB' */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** Fill a bar of `width` cells; anything above nothing shows at least one. */
export function bar(share: number, width: number): string {
  const bounded = Math.min(Math.max(share, 0), 1);
  const full = bounded === 0 ? 0 : Math.max(1, Math.round(bounded * width));
  return '█'.repeat(full) + '░'.repeat(width - full);
}

/** Lay rows out in columns, each as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  const shown = rows.map((row) => row.map(visible));
  for (const row of shown) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  }
  return shown.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Leave the middle out of what is too long: both ends tell one from another. */
export function shorten(text: string, width: number): string {
  if (text.length <= width) return text;
  const head = Math.ceil((width - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`;
}

/** Cut a line to what a terminal shows without wrapping. */
export function fit(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, Math.max(width - 1, 0))}…`;
}

/** @example iso(0); // '1970-01-01T00:00:00.000Z' */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}
