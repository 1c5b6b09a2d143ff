import type { Entity } from './rules/found-value.js'

/** A value in a text: its place, and what it is. */
export interface RedactionSpan {
  /** Place of its first character. */
  start: number
  /** Place after its last character. */
  end: number
  entity: Entity
}

/** Facts about the page whose text is searched. */
export interface RedactionPage {
  /** URL that was asked for. */
  readonly url: string
  /** Aborted when the time of the page is up, or its job has ended. */
  readonly signal: AbortSignal
}

/**
 * Finds personal data in a text, such as names of persons, with a model of your own. It is called with lines of the page, at most
 * some 60,000 characters at once. What it finds is redacted everywhere in the page. If it throws, the page fails.
 *
 * @param text lines of the page, without what the rules have found
 * @param entities kinds to find; others are ignored
 * @returns places in the text, in any order
 */
export type RedactFunction = (
  text: string,
  entities: readonly Entity[],
  page: RedactionPage,
) => readonly RedactionSpan[] | Promise<readonly RedactionSpan[]>
