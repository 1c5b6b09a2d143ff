import type { PlainText } from './plain-text.js'

/** Kinds of personal data, as the interface has them. */
export const entities = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const
export type Entity = (typeof entities)[number]

/** A value in a text: from `start` to before `end`. */
export interface FoundValue {
  readonly start: number
  readonly end: number
  readonly entity: Entity
}

/** A text in which rules look for values. */
export interface RuleText extends PlainText {
  /** Takes values that only their form speaks for, as well. */
  readonly isLoose: boolean
  /** Words that stand for a place in the text, in lower case: before it, above it in a table, and the name of the field. */
  wordsBefore(at: number): string
  /** Returns the URL up to a place in it; empty outside of URLs. */
  urlBefore(at: number): string
}

/** A rule finds values of one kind. Linear in the text. */
export type TextRule = (text: RuleText) => FoundValue[]
