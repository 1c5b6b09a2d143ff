import type { CommandFacts } from '../command.js'
import { type Flag, isSwitch } from '../flags/flag.js'

/** Formats the name of a command with those of its arguments: `crawl URL`, `report FILE [JOB]`. */
export function nameCommand(command: CommandFacts): string {
  const { name, argument, isArgumentOptional, further, isFurtherOptional } = command
  const first = isArgumentOptional === true ? `[${argument}]` : argument
  const last = isFurtherOptional ? `[${further}]` : further
  return [name, first, last].filter((part) => part !== undefined).join(' ')
}

/** Formats the name of a flag with its value, and its description. */
export const printFlag = (flag: Flag): { name: string; description: string } => ({
  name: nameOf(flag),
  description: describeFlag(flag),
})

function nameOf(flag: Flag): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `
  return `${short}--${flag.name}${isSwitch(flag) ? '' : ` ${printPlaceholder(flag)}`}`
}

function printPlaceholder({ valueType: { kinds, choices, item } }: Flag): string {
  if (item?.kinds.includes('object')) return item.kinds.includes('string') ? '<names|JSON>...' : '<JSON>...'
  if (item) return '<text>...'
  if (kinds.includes('record')) return "<'Name: value'>..."
  if (kinds.includes('object')) return kinds.includes('string') ? '<text|JSON>' : '<JSON>'
  if (choices.length > 0) return `<${choices.join('|')}>`
  return kinds.includes('number') ? '<number>' : '<text>'
}

function describeFlag({ description, valueType: { item } }: Flag): string {
  const choices = item?.kinds.includes('string') ? item.choices : []
  return choices.length === 0 ? description : `${description}. Names: ${choices.join(', ')}`
}
