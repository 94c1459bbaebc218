import { idsCommand, programs, type Completions, type FlagCompletion, type Values } from './model.js';

export function fishCompletion({ places, flags, valued }: Completions): string {
  const lines = programs.flatMap((program) => [
    `complete -c ${program} -f`,
    ...flags.map((flag) => flagLine(program, flag, '')),
    ...places.flatMap(({ words, next, operand, isRepeated, flags: own }) => {
      const here = ` -n '__claude_code_mcp_at "${words}"'`;
      const below = ` -n '__claude_code_mcp_at "${words}" "*"'`;
      return [
        ...next.map(({ word, brief }) => `complete -c ${program}${here} -a '${word}' -d '${brief}'`),
        ...(next.length > 0 || operand === undefined
          ? []
          : [`complete -c ${program}${isRepeated ? below : here}${offer(program, operand)}`]),
        ...own.map((flag) => flagLine(program, flag, below)),
      ];
    }),
  ]);
  return `# Completion of claude-code-mcp for fish. To load it: claude-code-mcp completion fish | source
function __claude_code_mcp_at
  set -l typed
  set -l is_value 0
  for token in (commandline -opc)[2..]
    if test $is_value = 1
      set is_value 0
    else if contains -- $token ${valued.map(({ flag }) => `--${flag}`).join(' ')}
      set is_value 1
    else if not string match -q -- '-*' $token
      set -a typed $token
    end
  end
  test "$typed" = "$argv[1]"; or string match -q -- "$argv[1] $argv[2]" "$typed"
end
${lines.join('\n')}
`;
}

function flagLine(program: string, { flag, brief, values }: FlagCompletion, here: string): string {
  const takes = values === undefined ? '' : values === 'anything' ? ' -x' : offer(program, values, ' -x');
  return `complete -c ${program}${here} -l ${flag}${takes} -d '${brief}'`;
}

function offer(program: string, values: Values, alone = ''): string {
  if (values === 'anything') return alone;
  if (values === 'session') return `${alone} -a '(${program} ${idsCommand})'`;
  if (values === 'folder') return `${alone} -a '(__fish_complete_directories)'`;
  if (values === 'file') return alone === '' ? ' -F' : ' -r -F';
  return `${alone} -a '${values.join(' ')}'`;
}
