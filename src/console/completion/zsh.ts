import { idsCommand, programs, type Completions, type FlagCompletion, type Values } from './model.js';

export function zshCompletion({ places, flags, valued }: Completions): string {
  const offered = valued.flatMap(({ flag, values }) => {
    const reply = values === undefined ? undefined : replyTo(values);
    return reply === undefined ? [] : [`    (--${flag}) ${reply}; return ;;`];
  });
  const needsValue = valued.map(({ flag }) => `--${flag}`).join('|');
  const flagLines = places
    .filter((place) => place.flags.length > 0)
    .map(({ words, flags: own }) => `      ('${words}'|'${words} '*) flags+=(${described(own)}) ;;`);
  const placeLines = places.flatMap(({ words, next, operand, isRepeated }) => {
    const reply =
      next.length > 0
        ? `found=(${next.map(({ word, brief }) => item(word, brief)).join(' ')}); _describe command found`
        : operand && replyTo(operand);
    return reply === undefined ? [] : [`    ('${words}'${isRepeated ? `|'${words} '*` : ''}) ${reply} ;;`];
  });
  return `#compdef ${programs.join(' ')}
# Completion of claude-code-mcp for zsh. To load it: source <(claude-code-mcp completion zsh)
_claude_code_mcp() {
  local typed='' i
  local -a flags found
  case $words[CURRENT-1] in
${offered.join('\n')}
    (${needsValue}) return ;;
  esac
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      (${needsValue}) ((i++)) ;;
      (-*) ;;
      (*) typed+="\${typed:+ }$words[i]" ;;
    esac
  done
  if [[ $words[CURRENT] == -* ]]; then
    flags=(${described(flags)})
    case $typed in
${flagLines.join('\n')}
    esac
    _describe -o flag flags
    return
  fi
  case $typed in
${placeLines.join('\n')}
  esac
}
compdef _claude_code_mcp ${programs.join(' ')}
`;
}

function described(flags: readonly FlagCompletion[]): string {
  return flags.map(({ flag, brief }) => item(`--${flag}`, brief)).join(' ');
}

function item(word: string, brief: string): string {
  return `'${word}:${brief}'`;
}

function replyTo(values: Values): string | undefined {
  if (values === 'anything') return undefined;
  if (values === 'session') return `compadd -- \${(f)"$($words[1] ${idsCommand})"}`;
  if (values === 'folder') return '_files -/';
  if (values === 'file') return '_files';
  return `compadd -- ${values.join(' ')}`;
}
