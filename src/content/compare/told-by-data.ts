import { readAmount } from '../../base/text/read-amount.js'
import { compareWords, toPlainText, type WordChange } from './changed-words.js'
import type { DataVersions } from './judge-data.js'
import { type DataTable, splitWords } from './key-rows.js'
import type { ChangedBlock } from './match-passages.js'
import type { Passage } from './read-passages.js'

/**
 * Returns a test for changes of a page that its typed data tell. What the data say has changed is told where all words that went and came are
 * of changed entries, and the block has other words of the data or is written as several blocks of the page are. Where no entry has
 * changed so, lines of a page change as entries slide to other places: then the block says what one entry says, which is that of its
 * heading. Shipping costs are none, though an entry costs as much, nor is an offer of the day.
 *
 * @param entries changes of the data
 * @param passages those of both versions
 */
export function toldBy(
  { previous, current }: Pick<DataVersions, 'previous' | 'current'>,
  entries: readonly ChangedBlock[],
  passages: readonly Passage[],
): (block: ChangedBlock) => boolean {
  const [before, now] = [new DataWords(previous), new DataWords(current)]
  const changed = {
    went: new Set(entries.flatMap(({ previous: was = '' }) => wordsOf(was))),
    came: new Set(entries.flatMap(({ text = '' }) => wordsOf(text))),
  }
  const counts = new Map<string, number>()
  for (const { text } of passages) {
    const form = formOf(text)
    counts.set(form, (counts.get(form) ?? 0) + 1)
  }
  return ({ change, headings, text = '', previous: was = '' }) => {
    if (change === 'moved') return false
    const words = compareWords(toPlainText(was), toPlainText(text))
    const [went, came] = [toKeys(words.removed), toKeys(words.added)]
    if (went.length + came.length === 0) return false
    if (!went.every((word) => before.has(word)) || !came.every((word) => now.has(word))) return false
    const others = unchangedOf(words).filter((word) => /\p{L}/u.test(word))
    // Both versions count a block that stays.
    const isOfMany = (counts.get(formOf(text === '' ? was : text)) ?? 0) > 2
    if (went.every((word) => changed.went.has(word)) && came.every((word) => changed.came.has(word)))
      return others.length === 0 || isOfMany || others.some((word) => now.has(word))
    if (!isOfMany && !others.every((word) => now.has(word))) return false
    const heading = wordsOf(headings.at(-1) ?? '')
    return before.hasEntry(went, heading) && now.hasEntry(came, heading)
  }
}

/** The words that both versions share. */
function unchangedOf({ after, added }: WordChange): string[] {
  const changed = new Set(added)
  return toKeys(after.filter((word) => !changed.has(word)))
}

/** A text without its numbers. */
const formOf = (text: string): string =>
  text
    .slice(0, 500)
    .replace(/\d[\d.,:]*/g, '#')
    .replaceAll('~', '')

const toKeys = (words: readonly { readonly text: string }[]): string[] =>
  words.map(({ text }) => toKey(text)).filter((key) => key !== '')

/** Returns a word as it is compared: a number by its value, however it is written; empty for a currency. */
function toKey(word: string): string {
  if (!/\d/.test(word)) return /^\p{Sc}$/u.test(word) ? '' : word
  const amount = readAmount(word)
  return amount ? String(amount.value) : word
}

const wordsOf = (text: string): string[] => toKeys(compareWords('', toPlainText(text)).added)

/** The words of data, with those of the names of its columns, and the entries that have them. */
class DataWords {
  readonly #rows = new Map<string, Set<number>>()

  constructor(tables: readonly DataTable[]) {
    let number = 0
    for (const { columns, rows } of tables) {
      for (const column of columns) for (const word of wordsOf(splitWords(column))) this.#add(word)
      for (const row of rows) {
        number += 1
        for (const cell of row)
          if (!/^https?:\/\/\S+$/.test(cell)) for (const word of wordsOf(cell)) this.#add(word, number)
      }
    }
  }

  has(word: string): boolean {
    return this.#rows.has(word)
  }

  /** Tests for an entry that has all words, and those of the heading if any entry has them. */
  hasEntry(words: readonly string[], heading: readonly string[]): boolean {
    if (words.length === 0) return true
    const isNamed = heading.length > 0 && this.#hasAll(heading)
    return this.#hasAll(isNamed ? [...words, ...heading] : words)
  }

  #hasAll(words: readonly string[]): boolean {
    const [fewest, ...others] = words
      .map((word) => this.#rows.get(word) ?? new Set<number>())
      .toSorted((one, other) => one.size - other.size)
    return fewest !== undefined && [...fewest].some((row) => others.every((rows) => rows.has(row)))
  }

  #add(word: string, row?: number): void {
    const rows = this.#rows.get(word) ?? new Set()
    this.#rows.set(word, rows)
    if (row !== undefined) rows.add(row)
  }
}
