/** Lines of log groups, in memory: the oldest go when a group holds too many. */

export interface KeptLine {
  /** Rises by one with every line of the cloud. */
  readonly id: number;
  readonly streamName: string;
  readonly timestampMs: number;
  readonly message: string;
}

export interface LogGroup {
  readonly name: string;
  readonly createdMs: number;
  /** In the order of their ids. */
  readonly lines: readonly KeptLine[];
}

export interface LogGroups {
  /** Makes an empty one; one that is there keeps its lines. */
  create(name: string, createdMs: number): void;
  add(name: string, line: Omit<KeptLine, 'id'>): void;
  find(name: string): LogGroup | undefined;
  all(): readonly LogGroup[];
}

/** @param linesMax how many a group keeps. */
export function logGroups(linesMax: number): LogGroups {
  const groups = new Map<string, { name: string; createdMs: number; lines: KeptLine[] }>();
  const groupOf = (name: string, createdMs: number) => {
    const group = groups.get(name) ?? { name, createdMs, lines: [] };
    groups.set(name, group);
    return group;
  };
  let id = 0;
  return {
    create: groupOf,
    add(name, line) {
      const group = groupOf(name, line.timestampMs);
      group.lines.push({ id: (id += 1), ...line });
      // Cut seldom and much: a cut copies all that stays.
      if (group.lines.length > linesMax * 2) group.lines = group.lines.slice(-linesMax);
    },
    find(name) {
      const group = groups.get(name);
      return group && { ...group, lines: group.lines.slice(-linesMax) };
    },
    all: () => [...groups.values()],
  };
}
