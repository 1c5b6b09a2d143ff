import type { OptionShape } from '../../options/option-shapes.js'

/** What a flag's value goes into: the request, the engine's configuration, or the command itself. */
export type FlagTarget = 'request' | 'engine' | 'command'

/** One flag of a command. */
export interface Flag {
  /** As it is typed, without the dashes: `max-age`. */
  readonly name: string
  /** One letter that may stand for it. */
  readonly short?: string
  readonly target: FlagTarget
  /** Where its value lands in the target: `['scrapeOptions', 'maxAge']`. */
  readonly path: readonly [string, ...string[]]
  readonly shape: OptionShape
  /** What it does, with unit, range and default. */
  readonly meaning: string
  /** The heading that it stands under in the help. */
  readonly section: string
}

/** The flag for an option of the interface: `ignoreInvalidURLs` is `ignore-invalid-urls`. */
export const toFlagName = (option: string): string => option.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()

/** Whether the flag is given without a value, and has an opposite that begins with `no-`. */
export const isSwitch = ({ shape }: Flag): boolean => shape.kinds.includes('boolean')
