import { ownValue } from '../collections/own-value.js'
import { cutText } from './cut-text.js'

/** Pages of a job whose documents have a warning of one kind. */
export interface PageWarning {
  /** The warning. Where it differs from page to page, `…` stands for names, numbers and addresses in it. */
  readonly message: string
  /** Number of pages. A page that a batch lists n times counts n times. */
  readonly pages: number
  /** The first of these pages. */
  readonly url: string
}

/** Maximum length of the warning that a row keeps of its page. Characters. */
const MAX_LENGTH = 1000

/** Cuts the warning of a document for its row: explanations and counts need its beginning. */
export const cutWarning = (warning: string): string => cutText(warning, MAX_LENGTH)

/** Warning of a row whose job keeps nothing that may quote a page. */
export const UNKEPT_WARNING = 'The page has a warning, which is not kept.'

/** End of a sentence and start of the next one. */
const SENTENCE_END = /[.!?…]["'”’)\]]{0,2} (?=[A-Z`“"\d])/g
/** First word of a sentence that goes on about what the sentence before it says. */
const GOES_ON = /^(?:It|Its|Run|Such|That|The evidence|These|They|This|Those)\b/

/** Lists the warnings of a document, which are joined to one text. Sentences that go on with a warning stay with it. */
export function splitWarnings(text: string): string[] {
  const found: string[] = []
  let from = 0
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    const sentence = text.slice(from, end)
    const isQuoted = sentence.split('`').length % 2 === 0 || sentence.lastIndexOf('“') > sentence.lastIndexOf('”')
    if (isQuoted || GOES_ON.test(text.slice(end, end + 20))) continue
    found.push(text.slice(from, end - 1))
    from = end
  }
  return [...found, text.slice(from)]
}

/** Names, numbers and addresses in a warning. */
const DETAILS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/https?:\/\/[^\s"”)]+/g, '…'],
  [/\([^()]*\)/g, '(…)'],
  [/"[^"]*"/g, '"…"'],
  [/“[^“”]*”/g, '“…”'],
  [/\d+(?:[.,:]\d+)*/g, '…'],
]

/** Returns the kind of a warning: what pages that have the same problem share. */
export const kindOfWarning = (warning: string): string =>
  DETAILS.reduce((kind, [pattern, replacement]) => kind.replace(pattern, replacement), warning)

/** Maximum number of kinds that are counted one by one. A page or a feature may put anything into a warning. */
const MAX_KINDS = 100
const OTHER = 'Other warnings.'

/** Running counts of the warnings of a job's pages, by kind. */
export class WarningCounts {
  readonly #kinds = new Map<string, { message: string; pages: number; url: string }>()

  /** Adds the pages of a row. @param pages negative to subtract them */
  add(warning: string, pages: number, url: string): void {
    for (const message of new Set(splitWarnings(warning))) {
      const own = kindOfWarning(message)
      // A kind stays in the table, so that what was counted as another one is subtracted there as well.
      const kind = this.#kinds.has(own) || this.#kinds.size < MAX_KINDS ? own : OTHER
      const known = this.#kinds.get(kind)
      if (!known) this.#kinds.set(kind, { message: kind === OTHER ? OTHER : message, pages, url })
      else {
        if (known.pages === 0) Object.assign(known, { url, message })
        known.pages += pages
        if (known.message !== message) known.message = kind
      }
    }
  }

  /** Lists the kinds, most frequent first; undefined if there are none. */
  read(): readonly PageWarning[] | undefined {
    const found = [...this.#kinds.values()].filter(({ pages }) => pages > 0).map((counted) => ({ ...counted }))
    return found.length === 0 ? undefined : found.sort((one, other) => other.pages - one.pages)
  }
}

/** Warnings of pages whose text is not there, or was not found. */
const UNREAD =
  /^(?:The page (?:seems to (?:need a browser|ask for a login)|has a warning|has no text|is empty)|A browser is preferred|The content (?:of the page is empty|has none of))/

/** Tests whether pages lack their text: advice about links that were not found would mislead then. */
export const pagesLackText = (warnings: readonly PageWarning[] = []): boolean =>
  warnings.some(({ message }) => UNREAD.test(message))

/** Tests whether a page lacks its text, by the warning of its document. */
export const pageLacksText = (warning = ''): boolean => splitWarnings(warning).some((message) => UNREAD.test(message))

/** Verbs of warnings that begin with "The page", and their form for several pages. */
const PLURALS: Readonly<Record<string, string>> = {
  has: 'have',
  is: 'are',
  needs: 'need',
  seems: 'seem',
  shows: 'show',
}
/** Kinds that a status names; the others are in `warnings`. */
const MAX_NAMED = 5

/** Describes the warnings of pages, each kind in a sentence that says how many pages have it. @param done pages scraped */
export function describePageWarnings(warnings: readonly PageWarning[] = [], done: number): string[] {
  const named = warnings.slice(0, MAX_NAMED).map(({ message, pages }) => {
    const [, verb = '', rest = ''] = /^The page (\w+)( .*)$/s.exec(message) ?? []
    const plural = ownValue(PLURALS, verb)
    return `${pages} of ${done} pages${plural === undefined ? `: ${message}` : ` ${plural}${rest}`}`
  })
  const more = warnings.length - named.length
  return more > 0 ? [...named, `Pages have ${more} further kinds of warnings: see \`warnings\`.`] : named
}
