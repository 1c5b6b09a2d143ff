import type { FlagOption } from './flag-options.js'
import { type Flag, type FlagTarget, toFlagName } from './flag.js'

/** Place of an option: where its value goes, and where the help lists its flag. */
interface FlagPlace {
  readonly target: FlagTarget
  readonly section: string
  /** Option of the target that contains this one, such as `scrapeOptions`. @default none */
  readonly within?: string
}

/** Converts an option to its flag. */
export function toFlag(option: FlagOption, { target, section, within }: FlagPlace): Flag {
  const { name, flag = toFlagName(name), valueType, help, default: value } = option
  return {
    name: flag,
    target,
    path: within === undefined ? [name] : [within, name],
    valueType,
    description: appendDefault(help, value),
    section,
    default: value,
  }
}

/** Appends the default of an option to the description of its flag, unless the description states it. */
export const appendDefault = (description: string, value: unknown): string =>
  value === undefined || description.includes('Default:')
    ? description
    : `${description}. Default: ${printDefault(value)}`

function printDefault(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (value === Infinity) return 'no limit'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
