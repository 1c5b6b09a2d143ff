import type { ChangeField } from './change-field.js'
import {
  compareWords,
  isAgeChange,
  isCounterChange,
  isDateChange,
  isDateOfVisit,
  isNumberChange,
  isPriceChange,
  isTokenChange,
  quoteChange,
  toPlainText,
  type WordChange,
} from './changed-words.js'
import type { ChangedBlock } from './match-passages.js'
import { isRelatedHeading, isSiteNotice, listStates } from './noise-words.js'

/** Times at which two versions were seen. Milliseconds since the epoch. */
export interface VisitTimes {
  readonly previousAtMs: number
  readonly atMs: number
}

/** The judgement of one changed block. */
export interface BlockJudgement {
  readonly field: ChangeField
  readonly message: string
  /** Reason why the change does not matter; absent for one that does. */
  readonly noise?: string
}

/** The field of a block of which no rule knows more than its kind. */
function fieldOf({ kind }: ChangedBlock): ChangeField {
  if (kind === 'heading' || kind === 'row' || kind === 'item' || kind === 'code') return kind
  return 'text'
}

/** Judges a changed block by rules. */
export function judgeBlock(block: ChangedBlock, times: VisitTimes): BlockJudgement {
  const { change, text = '', previous = '', headings } = block
  const field = fieldOf(block)
  const [before, now] = [toPlainText(previous), toPlainText(text)]
  const quoted = quoteChange(compareWords(before, now))
  const noise = (reason: string): BlockJudgement => ({ field, message: quoted, noise: reason })
  if (change === 'moved') return { field, message: 'moved', noise: 'the order of blocks' }
  if (headings.some(isRelatedHeading) || (field === 'heading' && isRelatedHeading(now)))
    return noise('links to other pages')
  const shown = change === 'removed' ? before : now
  if (shown.trim() === '' && before.trim() === '') return noise('an image')
  if (isSiteNotice(shown.trim())) return noise('an offer of the site')
  if (change !== 'edited') return { field, message: `${change}: ${quoted.slice(2)}` }
  return judgeEdit(block, { before, now, times, field })
}

interface Edit {
  readonly before: string
  readonly now: string
  readonly times: VisitTimes
  readonly field: ChangeField
}

function judgeEdit({ text = '', previous = '' }: ChangedBlock, { before, now, times, field }: Edit): BlockJudgement {
  const words = compareWords(before, now)
  const message = quoteChange(words)
  if (words.removed.length + words.added.length === 0) return judgeTargets(previous, text, before === now)
  if (isPriceChange(words)) return { field: 'price', message }
  const [was, is] = [listStates(before), listStates(now)]
  if (was.join() !== is.join()) return { field: 'availability', message }
  const noise = findNoise(words, now, times)
  if (noise !== undefined) return { field, message, noise }
  if (isDateChange(words)) return { field: 'date', message }
  if (isNumberChange(words)) return { field: 'number', message }
  return { field, message }
}

function findNoise(words: WordChange, now: string, { previousAtMs, atMs }: VisitTimes): string | undefined {
  if (isAgeChange(words)) return 'an age'
  if (isCounterChange(words)) return 'a counter'
  if (isTokenChange(words)) return 'an identifier'
  if (isDateOfVisit(words, previousAtMs, atMs)) return 'the date of the visit'
  if (isNumberChange(words) && /©|\bcopyright\b/i.test(now)) return 'the year of a copyright'
  return undefined
}

/** Judges an edit that leaves all words: of links, of images, of punctuation. */
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

/** The targets of links without their queries, which often identify visits. */
const listPaths = (markdown: string): string[] =>
  Array.from(markdown.slice(0, 20_000).matchAll(/(^|[^!])\[[^\][\n]*\]\(([^()\s?#]+)/g), ([, , path = '']) => path)
