import type { ListedCommand } from '../command.js'
import { type Flag, isSwitch } from '../flags/flag.js'
import { shortDescription, typedNames, valueChoices } from './listed-command.js'

/** Writes the completion script of zsh. */
export function writeZshCompletion(commands: readonly ListedCommand[]): string {
  const listed = commands.map(({ name, summary }) => `    ${quote(`${name}:${shortDescription(summary)}`)}`)
  const cases = commands.map((command) => {
    const specs = [...argumentSpecs(command), ...command.flags.flatMap(flagSpecs)]
    return `    ${command.name})\n      _arguments -s \\\n${specs.map((spec) => `        ${quote(spec)}`).join(' \\\n')} ;;`
  })
  return `#compdef trawl
# Completion of trawl in zsh: source <(trawl completion zsh), or a file _trawl in a folder of $fpath
_trawl() {
  local -a commands
  commands=(
${listed.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=\${words[2]}
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [[ \${funcstack[1]} == _trawl ]]; then
  _trawl "$@"
else
  compdef _trawl trawl
fi
`
}

function argumentSpecs({ argument, further, argumentChoices = [] }: ListedCommand): string[] {
  const first = argumentChoices.length > 0 ? `(${argumentChoices.join(' ')})` : actionOf(argument)
  return [
    ...(argument === undefined ? [] : [`1:${argument}:${first}`]),
    ...(further === undefined ? [] : [`2:${further}:${actionOf(further)}`]),
  ]
}

/** Returns what completes an argument. An empty list, because a message about the argument would keep zsh from completing a flag. */
const actionOf = (argument: string | undefined): string => (argument === 'FILE' ? '_files' : '()')

function flagSpecs(flag: Flag): string[] {
  const { description, valueType, short } = flag
  const text = `[${escapeText(shortDescription(description))}]`
  if (isSwitch(flag)) {
    const letter = short === undefined ? [] : [`-${short}${text}`]
    return [...typedNames(flag).map((name) => `${name}${text}`), ...letter]
  }
  const choices = valueChoices(flag)
  const value = `${text}:value:${choices.length === 0 ? '_files' : `(${choices.join(' ')})`}`
  const many = valueType.item === undefined && !valueType.kinds.includes('record') ? '' : '*'
  return [`${many}--${flag.name}=${value}`, ...(short === undefined ? [] : [`${many}-${short}+${value}`])]
}

/** Escapes the characters that end a description. */
const escapeText = (text: string): string => text.replaceAll(/[\\[\]:]/g, '\\$&')

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
