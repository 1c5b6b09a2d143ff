import { readAmount } from '../../base/text/read-amount.js'
import { compareWords, toPlainText, type WordChange } from './changed-words.js'
import type { DataVersions } from './judge-data.js'
import type { DataTable } from './key-rows.js'
import type { ChangedBlock } from './match-passages.js'
import type { Passage } from './read-passages.js'

/**
 * Returns a test for changes of a page that its typed data tell: all words that went stood in the data, all that came stand there now, and the
 * block has other words of the data, or is written as several blocks of the page are. The shipping costs are none, though an entry costs
 * as much.
 *
 * @param passages those of both versions
 */
export function toldBy(
  { previous, current }: Pick<DataVersions, 'previous' | 'current'>,
  passages: readonly Passage[],
): (block: ChangedBlock) => boolean {
  const [before, now] = [listWords(previous), listWords(current)]
  const counts = new Map<string, number>()
  for (const { text } of passages) {
    const form = formOf(text)
    counts.set(form, (counts.get(form) ?? 0) + 1)
  }
  return ({ change, text = '', previous: was = '' }) => {
    if (change === 'moved') return false
    const words = compareWords(toPlainText(was), toPlainText(text))
    const [went, came] = [toKeys(words.removed), toKeys(words.added)]
    if (went.length + came.length === 0) return false
    if (!went.every((word) => before.has(word)) || !came.every((word) => now.has(word))) return false
    const others = unchangedOf(words).filter((word) => /\p{L}/u.test(word))
    if (others.length === 0 || others.some((word) => now.has(word))) return true
    // Both versions count a block that stays.
    return (counts.get(formOf(text === '' ? was : text)) ?? 0) > 2
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

/** Lists the words of data, with those of its names. */
function listWords(tables: readonly DataTable[]): ReadonlySet<string> {
  const words = new Set<string>()
  const add = (text: string): void => {
    for (const key of toKeys(compareWords('', toPlainText(text)).added)) words.add(key)
  }
  for (const { columns, rows } of tables) {
    for (const column of columns) add(column.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
    for (const row of rows) for (const cell of row) if (!/^https?:\/\/\S+$/.test(cell)) add(cell)
  }
  return words
}
