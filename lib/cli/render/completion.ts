/** Completion scripts: what may follow each command, as its shell wants it written. */
export interface CompletedCommand {
  /** `['cursor', 'set']`; empty for the program itself. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly { readonly flag: string; readonly description: string }[];
  /** Values of an argument. */
  readonly choices: readonly string[];
  /** Takes names of pipelines. */
  readonly pipelines: boolean;
}

export interface CompletionAsk {
  /** The program itself is among them. */
  readonly commands: readonly CompletedCommand[];
  /** Where pipelines are, a file each. */
  readonly directory: string;
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export const renderCompletion: Readonly<Record<Shell, (ask: CompletionAsk) => string[]>> = {
  bash: (ask) => [
    '_penstock() {',
    "  local line=\" ${COMP_WORDS[*]:1:COMP_CWORD-1} \" found='' pipelines=''",
    ...cases(ask),
    `  [[ $pipelines ]] && found+=" $(${listing(ask)})"`,
    '  COMPREPLY=($(compgen -W "$found" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -F _penstock penstock',
  ],
  zsh: (ask) => [
    '#compdef penstock',
    '_penstock() {',
    "  local line=\" ${words[2,CURRENT-1]} \" found='' pipelines=''",
    ...cases(ask),
    `  [[ $pipelines ]] && found+=" $(${listing(ask)})"`,
    '  compadd -- ${=found}',
    '}',
    'compdef _penstock penstock',
  ],
  fish: (ask) => [
    'complete -c penstock -f',
    ...ask.commands.flatMap((command) => fishLines(command, ask)),
  ],
};

/** The longest path that the line begins with decides. */
function cases({ commands }: CompletionAsk): string[] {
  const deepestFirst = commands.toSorted((one, other) => other.path.length - one.path.length);
  return [
    '  case "$line" in',
    ...deepestFirst.map(({ path, choices, options, pipelines }) => {
      const begins = path.length === 0 ? '*' : `' ${path.join(' ')} '*`;
      const below = commands.filter(isBelow(path)).map(nameOf);
      const all = [...below, ...choices, ...options.map(({ flag }) => flag)].join(' ');
      return `    ${begins}) found='${all}'${pipelines ? ' pipelines=1' : ''} ;;`;
    }),
    '  esac',
  ];
}

/** Listed when completed, so that a pipeline that was added since is found. */
function listing({ directory }: CompletionAsk): string {
  return `command ls ${quoted(directory)} 2>/dev/null | sed -n 's/\\.ts$//p' | tr '\\n' ' '`;
}

function fishLines(
  { path, choices, options, pipelines }: CompletedCommand,
  { commands, directory }: CompletionAsk,
): string[] {
  const when =
    path.length === 0
      ? '__fish_use_subcommand'
      : path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
  const line = (rest: string): string => `complete -c penstock -n '${when}' ${rest}`;
  return [
    ...commands
      .filter(isBelow(path))
      .map((below) => line(`-a ${nameOf(below)} -d ${quoted(below.summary)}`)),
    ...choices.map((choice) => line(`-a ${choice}`)),
    ...options.map(({ flag, description }) =>
      line(`-l ${flag.replace(/^-+/, '')} -d ${quoted(description)}`),
    ),
    ...(pipelines
      ? [
          line(
            `-a "(command ls ${quoted(directory)} 2>/dev/null | string replace -fr '\\.ts\\$' '')"`,
          ),
        ]
      : []),
  ];
}

const nameOf = ({ path }: CompletedCommand): string => path.at(-1) ?? '';

const isBelow =
  (above: readonly string[]) =>
  ({ path }: CompletedCommand): boolean =>
    path.length === above.length + 1 && above.every((name, at) => path[at] === name);

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
