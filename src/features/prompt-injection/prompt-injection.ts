import type { InjectionEncoding } from './decode-texts.js'
import type { InjectionKind } from './order-rules.js'

/** Places of a page, or of a file, in which a text may stand. */
export const injectionPlaces = [
  'text',
  'hidden',
  'comment',
  'attribute',
  'metadata',
  'structured-data',
  'markup',
] as const

/** Place of a text. `hidden` is text that no reader sees; `metadata` has titles, descriptions and the properties of files. */
export type InjectionPlace = (typeof injectionPlaces)[number]

/** An instruction to a language model that a page contains. */
export interface PromptInjection {
  /** The sentence as the page has it, decoded if it was encoded; at most 300 characters. */
  readonly quote: string
  /** Aim of it. `chat-markup` imitates the mark-up of a chat; `other` is what the engine's model has found. */
  readonly kind: InjectionKind
  /** Place in the page. */
  readonly where: InjectionPlace
  /** Name of the attribute, meta tag or property. */
  readonly name?: string
  /** Encoding; absent for plain text. */
  readonly encoding?: InjectionEncoding
  /** The rule that found it: a language and a rule, such as `de/override`; `markup/chatml`; `model`. */
  readonly rule: string
}
