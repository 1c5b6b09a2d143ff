import { toPlainText } from './changed-words.js'
import type { ChangedBlock } from './match-passages.js'

/** Maximum length of a quoted context. Characters. */
const MAX_CONTEXT = 60
/** Characters of a block that are looked at. */
const MAX_READ = 500

/**
 * Quotes what an edited block is about: the words with which a row or an item begins, or else the heading above. Empty where
 * neither tells more than the page.
 *
 * @param titles the headings of the page itself
 */
export function quoteContext(block: ChangedBlock, titles: ReadonlySet<string>): string {
  if (block.change !== 'edited') return ''
  const heading = block.headings.at(-1)?.trim() ?? ''
  const isEntry = block.kind === 'row' || block.kind === 'item'
  const start = isEntry ? findStart(block) : ''
  const context = start !== '' ? start : titles.has(heading) ? '' : heading
  return context.length > MAX_CONTEXT ? `${context.slice(0, MAX_CONTEXT)}…` : context
}

/** Finds the whole words with which both versions of a block begin. */
function findStart({ text = '', previous = '' }: ChangedBlock): string {
  const [before, now] = [readWords(previous), readWords(text)]
  const end = now.findIndex((word, index) => word !== before[index])
  const words = now.slice(0, end === -1 ? now.length : end).filter((word) => /[\p{L}\p{N}]/u.test(word))
  return words.join(' ').replace(/[^\p{L}\p{N})\]]$/u, '')
}

const readWords = (markdown: string): string[] => toPlainText(markdown.slice(0, MAX_READ)).trim().split(/\s+/)
