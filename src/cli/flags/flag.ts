import type { ValueType } from './flag-options.js'

/** Destination of a flag's value: the request, the engine's configuration, or the command itself. */
export type FlagTarget = 'request' | 'engine' | 'command'

/** A flag of a command. */
export interface Flag {
  /** Name without the dashes: `max-age`. */
  readonly name: string
  /** Single-letter alias. */
  readonly short?: string
  readonly target: FlagTarget
  /** Path of its value within the target: `['scrapeOptions', 'maxAge']`. */
  readonly path: readonly [string, ...string[]]
  readonly valueType: ValueType
  /** Description, with unit, range and default. */
  readonly description: string
  /** Value without the flag; absent where it is computed, or where there is none. */
  readonly default?: unknown
  /** Heading in the help. */
  readonly section: string
}

/** Converts the name of an option to a flag: `ignoreInvalidURLs` is `ignore-invalid-urls`. */
export const toFlagName = (option: string): string => option.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()

/** Returns true for a flag without a value, which has an opposite that begins with `no-`. */
export const isSwitch = ({ valueType: { kinds } }: Flag): boolean =>
  kinds.includes('boolean') && !kinds.includes('string')
