import type { ListedCommand } from '../command.js'
import { type Flag, isSwitch } from '../flags/flag.js'

/** Lists the names of a flag as they are typed: `--block-ads` and `--no-block-ads`. */
export const typedNames = (flag: Flag): string[] =>
  isSwitch(flag) ? [`--${flag.name}`, `--no-${flag.name}`] : [`--${flag.name}`]

/** Lists the words that a flag takes as its value; empty if it takes others too. */
export const valueChoices = ({ valueType: { choices, item } }: Flag): readonly string[] =>
  item?.kinds.includes('string') ? item.choices : choices

/** Maximum length of a description in a list of completions. Characters. */
const MAX_CHARACTERS = 72

/** Shortens a description to its beginning, for a list of completions. */
export function shortDescription(description: string): string {
  const ends = ['. ', ': ', '; '].map((end) => description.indexOf(end)).filter((at) => at > 0)
  const sentence = description.slice(0, Math.min(description.length, ...ends))
  return sentence.length <= MAX_CHARACTERS ? sentence : `${sentence.slice(0, MAX_CHARACTERS - 3)}...`
}

/** Groups flags of several commands that are the same to a shell. @param keyOf returns what tells flags apart */
export function groupFlags(
  commands: readonly ListedCommand[],
  keyOf: (flag: Flag) => string,
): { readonly flag: Flag; readonly commands: readonly string[] }[] {
  const groups = new Map<string, { flag: Flag; commands: string[] }>()
  for (const { name, flags } of commands) {
    for (const flag of flags) {
      const group = groups.get(keyOf(flag))
      if (group) group.commands.push(name)
      else groups.set(keyOf(flag), { flag, commands: [name] })
    }
  }
  return [...groups.values()]
}
