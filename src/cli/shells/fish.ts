import type { ListedCommand } from '../command.js'
import { isSwitch } from '../flags/flag.js'
import { groupFlags, shortDescription, typedNames, valueChoices } from './listed-command.js'

/** Writes the completion script of fish. */
export function writeFishCompletion(commands: readonly ListedCommand[]): string {
  const listed = commands.flatMap(({ name, summary, argumentChoices = [] }) => [
    `complete -c trawl -f -n __fish_use_subcommand -a ${name} -d ${quote(shortDescription(summary))}`,
    ...(argumentChoices.length === 0
      ? []
      : [`complete -c trawl -f -n ${quote(seen([name]))} -a ${quote(argumentChoices.join(' '))}`]),
  ])
  const keyOf = (flag: ListedCommand['flags'][number]): string =>
    JSON.stringify([flag.name, isSwitch(flag), valueChoices(flag), shortDescription(flag.description)])
  const flags = groupFlags(commands, keyOf).flatMap(({ flag, commands: takers }) => {
    const choices = valueChoices(flag)
    const value = isSwitch(flag) ? '' : choices.length === 0 ? ' -r' : ` -x -a ${quote(choices.join(' '))}`
    const short = flag.short === undefined ? '' : ` -s ${flag.short}`
    const end = `${value} -d ${quote(shortDescription(flag.description))}`
    return typedNames(flag).map(
      (name, at) => `complete -c trawl -n ${quote(seen(takers))}${at === 0 ? short : ''} -l ${name.slice(2)}${end}`,
    )
  })
  return [
    '# Completion of trawl in fish: trawl completion fish | source',
    'complete -c trawl -f -n __fish_use_subcommand -l help -d "Show the help"',
    'complete -c trawl -f -n __fish_use_subcommand -l version -d "Show the version"',
    ...listed,
    ...flags,
    '',
  ].join('\n')
}

const seen = (commands: readonly string[]): string => `__fish_seen_subcommand_from ${commands.join(' ')}`

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", `\\'`)}'`
