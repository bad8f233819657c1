/** The project's TypeScript files, by room. */
import { readdirSync } from 'node:fs';

export const SOURCE_ROOMS = ['bin', 'functions', 'lib', 'pipelines'];

/** Paths of the TypeScript files in `room`, relative to the project's root. */
export function sources(room: string): string[] {
  return readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${room}/${name}`)
    .sort();
}
