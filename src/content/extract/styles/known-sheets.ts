import type { SheetText } from '../../../base/text/linked-sheet.js'
import { stripComments } from './scan-css.js'
import { readSheet, type SheetRules } from './style-sheet.js'

/** Maximum length of the sheets that a thread remembers, and of one of them. Characters. */
const MAX_LENGTH = 4_000_000
const MAX_SHEET = 500_000

/** Rules of a sheet have the numbers from its own place on the page, so that those of a remembered one stay as they are. */
const RULES_OF_SHEET = 20_000
const MAX_PLACES = 40
/** Maximum places and kinds of page that the rules of a sheet which pages link to are remembered for. */
const MAX_KEPT = 2

/** Returns the place on the page of the sheet of a rule with a number. Those behind the last place that is told apart have this one. */
export const placeOfRule = (order: number): number => Math.floor(order / RULES_OF_SHEET)

/** A style sheet of a page. */
export interface PageSheet {
  /** Without comments. */
  readonly css: string
  readonly media: string | undefined
  /** Set for one that the page links to: its rules, by place and kind of page. */
  readonly rulesByPlace?: Map<string, SheetRules>
}

/** Facts of the page of a sheet. */
export interface SheetFacts {
  /** Set for a page without a document type. */
  readonly isQuirky: boolean
  /** Set for a page whose sheets are not remembered. */
  readonly keepsNothing: boolean
}

/** Values with a length, of which the oldest are forgotten. Of one that was seen once, only the key is remembered. */
class RememberedTexts<Value> {
  readonly #known = new Map<string, { value: Value | undefined; length: number }>()
  #length = 0

  get(key: string): Value | undefined {
    return this.#known.get(key)?.value
  }

  add(key: string, value: Value, length: number): void {
    const entry = this.#known.get(key) ?? { value: undefined, length: 0 }
    const isSecond = this.#known.has(key)
    const own = key.length + (isSecond ? length : 0)
    if (isSecond) entry.value = value
    this.#length += own - entry.length
    entry.length = own
    this.#known.set(key, entry)
    for (const [oldest, { length: freed }] of this.#known) {
      if (this.#length <= MAX_LENGTH) break
      this.#known.delete(oldest)
      this.#length -= freed
    }
  }
}

/**
 * Remembers the rules of sheets by their text: the pages of a site have the same ones. A sheet that was seen once is remembered without
 * its rules, which are many objects, and which a page of another site does not need. The oldest are forgotten first.
 */
class KnownSheets {
  readonly #rules = new RememberedTexts<SheetRules>()
  readonly #linked = new RememberedTexts<PageSheet>()

  read({ css, media }: PageSheet, place: number, isQuirky: boolean): SheetRules {
    const key = `${place} ${isQuirky ? '!' : ''}${media ?? ''}\n${css}`
    const known = this.#rules.get(key)
    if (known !== undefined) return known
    // From the key, which is a string of its own: a slice of the page would keep all of it.
    const text = key.slice(key.length - css.length)
    const rules = readSheet(text, { media, first: place * RULES_OF_SHEET, isQuirky })
    // The key has the text.
    if (css.length <= MAX_SHEET && place < MAX_PLACES) this.#rules.add(key, rules, 0)
    return rules
  }

  linked(text: SheetText, media: string | undefined): PageSheet {
    const key = `${text.id} ${media ?? ''}`
    const known = this.#linked.get(key)
    if (known !== undefined) return known
    const sheet = readText(text, media)
    this.#linked.add(key, sheet, sheet.css.length * MAX_KEPT)
    return sheet
  }
}

const known = new KnownSheets()

const readText = ({ bytes }: SheetText, media: string | undefined): PageSheet => ({
  css: stripComments(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()),
  media,
  rulesByPlace: new Map(),
})

/** Returns a sheet that a page links to. It is the same object for the pages of a site, so that what is read of it is kept. */
export const linkedSheet = (text: SheetText, media: string | undefined, keepsNothing: boolean): PageSheet =>
  keepsNothing ? readText(text, media) : known.linked(text, media)

/** Reads the rules of a sheet. @param at number of the sheet on the page */
export function rulesOfSheet(sheet: PageSheet, at: number, { isQuirky, keepsNothing }: SheetFacts): SheetRules {
  const place = Math.min(at, MAX_PLACES)
  const { css, media, rulesByPlace } = sheet
  if (rulesByPlace === undefined && !keepsNothing) return known.read(sheet, place, isQuirky)
  const key = `${place}${isQuirky ? '!' : ''}`
  const rules = rulesByPlace?.get(key) ?? readSheet(css, { media, first: place * RULES_OF_SHEET, isQuirky })
  if (rulesByPlace === undefined || place === MAX_PLACES || rulesByPlace.has(key)) return rules
  if (rulesByPlace.size === MAX_KEPT) rulesByPlace.clear()
  rulesByPlace.set(key, rules)
  return rules
}
