import { readSheet, type SheetRules } from './style-sheet.js'

/** Maximum length of the sheets that a thread remembers, and of one of them. Characters. */
const MAX_LENGTH = 4_000_000
const MAX_SHEET = 500_000

/** Rules of a sheet have the numbers from its own place on the page, so that those of a remembered one stay as they are. */
const RULES_OF_SHEET = 20_000
const MAX_PLACES = 40

/** A style sheet of a page. */
export interface PageSheet {
  /** Without comments. */
  readonly css: string
  readonly media: string | undefined
}

/** Facts of the page of a sheet. */
export interface SheetFacts {
  /** Set for a page without a document type. */
  readonly isQuirky: boolean
  /** Set for a page whose sheets are not remembered. */
  readonly keepsNothing: boolean
}

/**
 * Remembers the rules of sheets by their text: the pages of a site have the same ones. A sheet that was seen once is remembered without
 * its rules, which are many objects, and which a page of another site does not need. The oldest are forgotten first.
 */
class KnownSheets {
  readonly #rules = new Map<string, SheetRules | undefined>()
  #length = 0

  read({ css, media }: PageSheet, place: number, isQuirky: boolean): SheetRules {
    const at = Math.min(place, MAX_PLACES)
    const key = `${at} ${isQuirky ? '!' : ''}${media ?? ''}\n${css}`
    const known = this.#rules.get(key)
    if (known !== undefined) return known
    // From the key, which is a string of its own: a slice of the page would keep all of it.
    const text = key.slice(key.length - css.length)
    const rules = readSheet(text, { media, first: at * RULES_OF_SHEET, isQuirky })
    if (css.length > MAX_SHEET || place > MAX_PLACES) return rules
    const isSecond = this.#rules.has(key)
    this.#rules.set(key, isSecond ? rules : undefined)
    if (isSecond) return rules
    this.#length += key.length
    for (const oldest of this.#rules.keys()) {
      if (this.#length <= MAX_LENGTH) break
      this.#rules.delete(oldest)
      this.#length -= oldest.length
    }
    return rules
  }
}

const known = new KnownSheets()

/** Reads the rules of a sheet. @param place number of the sheet on the page */
export const rulesOfSheet = (sheet: PageSheet, place: number, { isQuirky, keepsNothing }: SheetFacts): SheetRules =>
  keepsNothing
    ? readSheet(sheet.css, { media: sheet.media, first: Math.min(place, MAX_PLACES) * RULES_OF_SHEET, isQuirky })
    : known.read(sheet, place, isQuirky)
