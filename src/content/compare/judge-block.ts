import type { ChangeField } from './change-field.js'
import {
  compareWords,
  haveNumbersMoved,
  isAgeChange,
  isAmountChange,
  isChecksumChange,
  isCounterChange,
  isDateChange,
  isDateOfVisit,
  isNumberChange,
  isPrice,
  isPriceChange,
  isTokenChange,
  isYearChange,
  listSymbols,
  MAX_TEXT,
  partPrices,
  quoteChange,
  quoteSides,
  quoteText,
  toPlainText,
  type WordChange,
} from './changed-words.js'
import type { ChangedBlock } from './match-passages.js'
import { listPaths } from './read-passages.js'
import { isAddressed, isRelatedHeading, isSiteNotice, listStates } from './noise-words.js'
import { stableText } from './stable-text.js'

/** Times at which two versions were seen. Milliseconds since the epoch. */
interface VisitTimes {
  readonly previousAtMs: number
  readonly atMs: number
}

/** The judgement of one changed block. */
export interface BlockJudgement {
  readonly field: ChangeField
  readonly message: string
  /** Words that stood there and those that stand there now, as written: of prices, states, dates and numbers. */
  readonly previous?: string
  readonly current?: string
  /** Reason why the change does not matter; absent for one that does. */
  readonly noise?: string
  /** A change of another kind in the same block: a row whose price and state have changed. */
  readonly also?: BlockJudgement
}

/** The field of a block of which no rule knows more than its kind. */
function fieldOf({ kind }: ChangedBlock): ChangeField {
  if (kind === 'heading' || kind === 'row' || kind === 'item' || kind === 'code') return kind
  return 'text'
}

/** Facts of the page of a changed block. */
export interface JudgedPage extends VisitTimes {
  /** Its headings of level 1, which name what the page is about. */
  readonly titles?: ReadonlySet<string>
}

/** Judges a changed block by rules. */
export function judgeBlock(block: ChangedBlock, page: JudgedPage): BlockJudgement {
  const { change, text = '', previous = '' } = block
  const field = fieldOf(block)
  if (change === 'moved') return { field, message: 'moved', noise: 'the order of blocks' }
  const [before, now] = [toPlainText(previous), toPlainText(text)]
  const words = compareWords(before, now)
  const message = quoteChange(words)
  if (change === 'edited') {
    if (differsBeyond(previous, text)) return { field, message: 'a long text has changed' }
    // What is struck out is said no longer: the old price beside the new one.
    const [said, says] = [toPlainText(withoutStruck(previous)), toPlainText(withoutStruck(text))]
    const live = compareWords(said, says)
    if (live.removed.length + live.added.length > 0)
      return judgeEdit(block, { before: said, now: says, words: live, page, field })
    if (words.removed.length + words.added.length > 0 && [previous, text].some((side) => side.search(STRUCK) !== -1))
      return { field, message }
    return judgeEdit(block, { before, now, words, page, field })
  }
  const isWordless = words.removed.length + words.added.length === 0
  const told = `${change}: ${isWordless ? quoteText(change === 'removed' ? previous : text) : message.slice(2)}`
  const noise = (reason: string): BlockJudgement => ({ field, message: isWordless ? told : message, noise: reason })
  if (isAmongLinks(block, page)) return noise('links to other pages')
  const shown = (change === 'removed' ? before : now).trim()
  if (shown === '' && listSymbols(now).length === 0) return noise('an image')
  if (isWordless && block.kind !== 'code' && shown.includes('\u{FFFC}') && listSymbols(shown).length === 0)
    return noise('an age or a counter')
  if (isNoticeKind(block) && isSiteNotice(shown) && !isPriceChange(words))
    if (isAddressed(shown) || listStates(shown).length === 0) return noise('an offer of the site')
  return { field, message: told }
}

const STRUCK = /~~[^~\n]{1,200}~~/g

const withoutStruck = (markdown: string): string => markdown.replaceAll(STRUCK, ' ')

const isNoticeKind = ({ kind }: ChangedBlock): boolean => kind !== 'heading' && kind !== 'row' && kind !== 'code'

/** Tests whether a block belongs to links to other pages: it is an item, a link or a heading of theirs. */
function isAmongLinks({ kind, headings, text = '', previous = '' }: ChangedBlock, { titles }: JudgedPage): boolean {
  if (kind === 'heading') {
    const versions = [text, previous].filter((one) => one !== '')
    if (versions.every((one) => !/^ {0,3}#[ \t]/.test(one) && isRelatedHeading(one))) return true
  }
  if (!headings.some((heading) => titles?.has(heading) !== true && isRelatedHeading(heading))) return false
  return kind === 'item' || /\]\(/.test((text === '' ? previous : text).slice(0, 2000))
}

/** Tests whether two long texts differ where their words are not compared. */
function differsBeyond(previous: string, text: string): boolean {
  if (Math.max(previous.length, text.length) <= MAX_TEXT) return false
  const [before, now] = [stableText(previous), stableText(text)]
  let same = 0
  const shorter = Math.min(before.length, now.length)
  while (same < shorter && before.charCodeAt(before.length - 1 - same) === now.charCodeAt(now.length - 1 - same))
    same += 1
  return Math.max(before.length, now.length) - same > MAX_TEXT
}

interface Edit {
  readonly before: string
  readonly now: string
  readonly words: WordChange
  readonly page: JudgedPage
  readonly field: ChangeField
}

function judgeEdit(block: ChangedBlock, { before, now, words, page, field }: Edit): BlockJudgement {
  const { text = '', previous = '', headings } = block
  const message = quoteChange(words)
  const isLink = isAmongLinks(block, page)
  const [was, is] = [listStates(before), listStates(now)]
  const state = was.join() === is.join() ? undefined : { previous: was.join(', '), current: is.join(', ') }
  // Of other products that are shown by turns, the names change with the prices.
  if (isPriceChange(words) && (!isLink || isNumberChange(words))) {
    const [prices, others] = partPrices(words)
    const price = { field: 'price', ...quoteSides(prices) } as const
    if (!state) return { ...price, message: isAmountChange(words) ? message : quoteChange(prices) }
    const also = { field: 'availability', message: quoteStates(quoteChange(others), was, is), ...state } as const
    return { ...price, message: quoteChange(prices), also }
  }
  if (isLink) return { field, message, noise: 'links to other pages' }
  if (state) return { field: 'availability', message: quoteStates(message, was, is), ...state }
  const [marks, shown] = [listSymbols(before), listSymbols(now)]
  if (marks.join() !== shown.join()) return { field, message: `${marks.join('')} → ${shown.join('')}` }
  if (words.removed.length + words.added.length === 0) return judgeOrder(block, words, field)
  if (isNoticeKind(block) && isNoticeChange(words, before, now))
    return { field, message, noise: 'an offer of the site' }
  const isSum = isChecksumChange(words, [previous, text, ...headings].map((part) => part.slice(0, 2000)).join('\n'))
  const noise = isSum ? undefined : findNoise(words, now, page)
  if (noise !== undefined) return { field, message, noise }
  if (isDateChange(words)) return { field: 'date', message, ...quoteSides(words) }
  if (isNumberChange(words)) return { field: 'number', message, ...quoteSides(words) }
  return { field, message }
}

/** Quotes states as a whole where the words that have changed are a part of them: `in → out of`. */
function quoteStates(message: string, was: readonly string[], is: readonly string[]): string {
  const told = message.toLowerCase()
  const isTold = [...was, ...is].every((state) => told.includes(state))
  return isTold || was.length === 0 || is.length === 0 ? message : `${was.join(', ')} → ${is.join(', ')}`
}

/** Tests whether an offer of the site has given way to another, or says the same with another number. */
const isNoticeChange = ({ removed, added }: WordChange, before: string, now: string): boolean =>
  isSiteNotice(before.trim()) &&
  isSiteNotice(now.trim()) &&
  (isAddressed(now) || [...removed, ...added].some(({ text }) => isSiteNotice(text)))

function findNoise(words: WordChange, now: string, { previousAtMs, atMs }: VisitTimes): string | undefined {
  if (isAgeChange(words)) return 'an age'
  if (isCounterChange(words)) return 'a counter'
  if (isTokenChange(words)) return 'an identifier'
  if (isDateOfVisit(words, previousAtMs, atMs)) return 'the date of the visit'
  if (isYearChange(words) && /©|\bcopyright\b/i.test(now)) return 'the year of a copyright'
  return undefined
}

/** Judges an edit that leaves all words: of their order, of signs in code, of links, of images, of punctuation. */
function judgeOrder({ kind, previous = '', text = '' }: ChangedBlock, words: WordChange, field: ChangeField) {
  if (kind === 'code') return { field, message: 'signs or white space of code have changed' }
  const sequence = ({ text: word }: { text: string }): string => word
  const isOther = words.before.map(sequence).join('\n') !== words.after.map(sequence).join('\n')
  if (isOther && (kind === 'row' || haveNumbersMoved(words)))
    return {
      field: words.before.some((word) => isPrice(word, words.before)) ? 'price' : field,
      message: 'values have changed places',
    } as const
  return judgeTargets(previous, text, !isOther && toPlainText(previous) === toPlainText(text))
}

/** Judges an edit of links, of images or of punctuation. */
function judgeTargets(previous: string, text: string, isSameText: boolean): BlockJudgement {
  const [was, is] = [listPaths(previous), listPaths(text)]
  const isOther = was.length === is.length && was.some((path, index) => path !== is[index])
  if (isOther && was.toSorted().join() !== is.toSorted().join())
    return {
      field: 'link',
      message: `${was.find((path, index) => path !== is[index]) ?? ''} → ${is.find((path, index) => path !== was[index]) ?? ''}`,
    }
  return { field: 'text', message: '', noise: isSameText ? 'addresses of links or images' : 'punctuation or order' }
}
