/** The shapes that a function has met lately: what it can write over without having seen it. */
import type { Shape, TableMode } from './item-shape.ts';

/** More would be looked for in every condition. */
const SHAPES_MAX = 20;

/** Names to take away at once; they share 4 KB of expression with those that are set. */
export const REMOVED_MAX = 400;

/** What to take away, and of which shapes an item may be for that to be right. */
export interface Removal {
  readonly names: readonly string[];
  readonly shapes: readonly string[];
  /** Whether it is right for an item that only others wrote, too. */
  readonly spares: boolean;
}

export interface KnownShapes {
  /** Counts as met just now. */
  remember(shape: Shape): void;
  /** The removal that is right for as many shapes as possible, a record's own always among them. */
  removalFor(own: Shape): Removal;
}

export function knownShapes(mode: TableMode): KnownShapes {
  /** Met last stands first. */
  let known: readonly Shape[] = [];

  return {
    remember(shape) {
      if (known[0]?.text === shape.text) return;
      const others = known.filter(({ text }) => text !== shape.text);
      known = [shape, ...others].slice(0, SHAPES_MAX);
    },
    removalFor(own) {
      const kept = new Set(own.names);
      const leaving = ({ names }: Shape) => names.filter((name) => !kept.has(name));
      return mode === 'replace' ? all(own, leaving) : exactly(own, leaving);
    },
  };

  /** Nobody else's attribute can be hit: names of other shapes are taken away beside its own. */
  function all(own: Shape, leaving: (shape: Shape) => readonly string[]): Removal {
    const names = new Set<string>();
    const shapes = new Set([own.text]);
    for (const shape of known) {
      const more = leaving(shape).filter((name) => !names.has(name));
      if (names.size + more.length > REMOVED_MAX) continue;
      for (const name of more) names.add(name);
      shapes.add(shape.text);
    }
    return { names: [...names], shapes: [...shapes], spares: true };
  }

  /** A name that this item's record did not have may be somebody else's: only shapes that lose the same names. */
  function exactly(own: Shape, leaving: (shape: Shape) => readonly string[]): Removal {
    // A delete meets a whole record; what has members meets its like.
    const likely =
      own.names.length > 0 ? own : (known.find(({ names }) => names.length > 0) ?? own);
    const names = leaving(likely);
    const text = JSON.stringify(names);
    const same = known.filter((shape) => JSON.stringify(leaving(shape)) === text);
    const shapes = new Set([likely.text, ...same.map(({ text: one }) => one)]);
    return { names, shapes: [...shapes], spares: names.length === 0 };
  }
}
