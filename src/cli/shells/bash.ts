import type { ListedCommand } from '../command.js'
import { isSwitch } from '../flags/flag.js'
import { groupFlags, typedNames, valueChoices } from './listed-command.js'

/** Writes the completion script of bash. */
export function writeBashCompletion(commands: readonly ListedCommand[]): string {
  const names = [...commands.map(({ name }) => name), '--help', '--version']
  const words = commands.map(({ name, flags, argumentChoices = [] }) => {
    const typed = flags.flatMap((flag) => [
      ...typedNames(flag),
      ...(flag.short === undefined ? [] : [`-${flag.short}`]),
    ])
    return `    ${name}) flags='${typed.join(' ')}'; words='${argumentChoices.join(' ')}' ;;`
  })
  const valued = groupFlags(commands, (flag) => `${flag.name} ${isSwitch(flag)} ${valueChoices(flag).join(' ')}`)
    .filter(({ flag }) => !isSwitch(flag))
    .map(({ flag, commands: takers }) => {
      const typed = [`--${flag.name}`, ...(flag.short === undefined ? [] : [`-${flag.short}`])]
      const patterns = takers.flatMap((command) => typed.map((name) => `${command}:${name}`))
      const choices = valueChoices(flag)
      const reply = choices.length === 0 ? ':' : `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current"))`
      return `    ${patterns.join('|')}) ${reply}; return ;;`
    })
  return `# Completion of trawl in bash: source <(trawl completion bash)
_trawl() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} flags= words=
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$current"))
    return
  fi
  # bash divides --name=value at the sign.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  case \${COMP_WORDS[1]} in
${words.join('\n')}
  esac
  case \${COMP_WORDS[1]}:$previous in
${valued.join('\n')}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -o default -o bashdefault -F _trawl trawl
`
}
