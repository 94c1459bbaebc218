import { idsCommand, programs, type Completions, type FlagCompletion, type Values } from './model.js';

/** Works in bash 3.2, which macOS has. */
export function bashCompletion({ places, flags, valued }: Completions): string {
  const offered = valued.flatMap(({ flag, values }) => {
    const reply = values === undefined ? undefined : replyTo(values);
    return reply === undefined ? [] : [`    --${flag}) ${reply}; return ;;`];
  });
  const flagLines = places
    .filter((place) => place.flags.length > 0)
    .map(({ words, flags: own }) => `      '${words}'|'${words} '*) flags+=' ${flagWords(own)}' ;;`);
  const placeLines = places.flatMap(({ words, next, operand, isRepeated }) => {
    const reply = next.length > 0 ? replyTo(next.map(({ word }) => word)) : operand && replyTo(operand);
    return reply === undefined ? [] : [`    '${words}'${isRepeated ? `|'${words} '*` : ''}) ${reply} ;;`];
  });
  return `# Completion of claude-code-mcp for bash. To load it: source <(claude-code-mcp completion bash)
_claude_code_mcp() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} typed='' i IFS=$' \\t\\n'
  COMPREPLY=()
  case $prev in
${offered.join('\n')}
    ${valued.map(({ flag }) => `--${flag}`).join('|')}) return ;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${valued.map(({ flag }) => `--${flag}`).join('|')}) ((i++)) ;;
      -*) ;;
      *) typed+="\${typed:+ }\${COMP_WORDS[i]}" ;;
    esac
  done
  if [[ $cur == -* ]]; then
    local flags='${flagWords(flags)}'
    case $typed in
${flagLines.join('\n')}
    esac
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    return
  fi
  case $typed in
${placeLines.join('\n')}
  esac
}
complete -F _claude_code_mcp ${programs.join(' ')}
`;
}

function flagWords(flags: readonly FlagCompletion[]): string {
  return flags.map(({ flag }) => `--${flag}`).join(' ');
}

function replyTo(values: Values): string | undefined {
  if (values === 'anything') return undefined;
  if (values === 'session')
    return `COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" ${idsCommand})" -- "$cur"))`;
  if (values === 'folder' || values === 'file') {
    const kind = values === 'folder' ? '-d' : '-f';
    return `compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=($(compgen ${kind} -- "$cur"))`;
  }
  return `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$cur"))`;
}
