import type { Mutable } from '../../base/collections/mutable.js'
import { deriveTemplate } from '../../base/url-template.js'
import type { LedgerRow } from '../../kernel/ledger/ledger.js'
import { kindOfWarning, splitWarnings } from '../../base/text/page-warnings.js'
import { cutText } from '../../base/text/cut-text.js'
import { parseUrl, withoutLastSlashes, withoutSection } from '../../base/url.js'
import { outcomes, type PackedPage, vias } from './report-data.js'

/** Maximum rows that a report lists. It bounds its memory, here and in the browser: some 300 bytes a row. */
const MAX_LISTED_PAGES = 200_000
/** Maximum length of a message in the list; the story of the page has the whole one. Characters. */
const MAX_MESSAGE_LENGTH = 300

/** Places in {@link PackedPage}. */
const [OUTCOME, FOUND_ON, FINAL_URL, DUPLICATE_OF] = [1, 6, 13, 14] as const

/** Rows of a job, packed for the list of a report. */
export class ReportPages {
  readonly texts = new TextTable()
  readonly pages: Mutable<PackedPage>[] = []
  /** Pages of sitemaps that no other page links to. */
  readonly orphans: number[] = []
  /** Number of rows that are not listed. */
  unlisted = 0
  readonly #startedAtMs: number
  /** Numbers of pages by the keys of their URLs. */
  readonly #numbers = new Map<string, number>()
  /** Numbers of scraped pages by the keys of the URLs that they were redirected to. */
  readonly #redirected = new Map<string, number>()

  /** @param startedAtMs time from which all times count. Milliseconds since the epoch */
  constructor(startedAtMs: number) {
    this.#startedAtMs = startedAtMs
  }

  /** Adds a row. Afterwards, call {@link resolve}. @returns false when it is not listed, because there are too many */
  add(row: LedgerRow): boolean {
    if (this.pages.length >= MAX_LISTED_PAGES) {
      this.unlisted += 1
      return false
    }
    const number = this.pages.push(this.#pack(row)) - 1
    for (const url of [row.url, ...(row.sources ?? []).map((source) => source.url)]) {
      const key = linkKey(url)
      if (!this.#numbers.has(key)) this.#numbers.set(key, number)
    }
    if (row.outcome === 'done' && row.finalUrl !== undefined) {
      const key = linkKey(row.finalUrl)
      if (!this.#redirected.has(key)) this.#redirected.set(key, number)
    }
    if (row.via === 'sitemap' && row.linked !== true) this.orphans.push(number)
    return true
  }

  /**
   * Replaces the URLs of pages that other pages name by their numbers. To be called after the last row, because a row may
   * name a later one: rows are in the order in which they were found, and a copy names the page that was read first.
   */
  resolve(): void {
    for (const [number, page] of this.pages.entries()) {
      const [foundOn, duplicateOf] = [page[FOUND_ON], page[DUPLICATE_OF]]
      if (typeof foundOn === 'string') page[FOUND_ON] = this.find(foundOn) ?? foundOn
      if (typeof duplicateOf === 'string') page[DUPLICATE_OF] = this.#findOriginal(duplicateOf, number) ?? duplicateOf
    }
  }

  /** Finds a page by a URL of it, fragment and last slash aside. */
  find(url: string): number | undefined {
    return this.#numbers.get(linkKey(url))
  }

  /**
   * Adds a page of another list, with URLs in place of the pages that it names.
   *
   * @returns its number
   */
  copy(page: PackedPage, from: ReportPages): number {
    const [url, outcome, reason, message, via, depth, foundOn, endedMs, attemptMs, fetcher, ...more] = page
    const [statusCode, attempts, credits, finalUrl, duplicateOf, template, warnings] = more
    const text = (number: number): number => this.texts.add(from.texts.read(number))
    const name = (other: number | string): number | string =>
      typeof other === 'number' ? (from.pages[other]?.[0] ?? -1) : other
    const [why, says, how, shape] = [text(reason), text(message), text(fetcher), text(template)]
    const found = name(foundOn)
    return (
      this.pages.push([
        ...([url, outcome, why, says, via, depth, found, endedMs, attemptMs, how] as const),
        ...([statusCode, attempts, credits, finalUrl, name(duplicateOf), shape, warnings.map(text)] as const),
      ]) - 1
    )
  }

  #pack(row: LedgerRow): Mutable<PackedPage> {
    const { url, outcome, refusal, failure, via, depth, foundOn, endedAtMs, attempts, finalUrl, duplicateOf } = row
    const last = attempts.at(-1)
    const message = refusal?.message ?? failure?.error
    const parsed = parseUrl(url)
    return [
      url,
      outcomes.indexOf(outcome),
      this.texts.add(refusal?.reason ?? failure?.code),
      this.texts.add(message && cutText(message, MAX_MESSAGE_LENGTH)),
      vias.indexOf(via),
      depth,
      foundOn ?? -1,
      endedAtMs === undefined ? -1 : endedAtMs - this.#startedAtMs,
      // A document without a job has no times.
      (last && last.endedAtMs - last.startedAtMs) || -1,
      this.texts.add(last?.fetcher),
      last?.statusCode ?? -1,
      attempts.length,
      row.credits ?? 0,
      finalUrl ?? '',
      duplicateOf ?? -1,
      this.texts.add(parsed && deriveTemplate(parsed).names[0]),
      row.warning === undefined
        ? []
        : splitWarnings(row.warning).map((warning) => this.texts.add(kindOfWarning(warning))),
    ]
  }

  /** Finds the page that a copy repeats, by the URL of that page after redirects. */
  #findOriginal(url: string, copy: number): number | undefined {
    const direct = this.find(url)
    const scraped = direct !== undefined && this.#isScrapedAt(direct) ? direct : undefined
    const candidates = [scraped, this.#redirected.get(linkKey(url)), direct]
    return candidates.find((number) => number !== undefined && number !== copy)
  }

  /** Tests whether a page was scraped without a redirect. */
  #isScrapedAt(number: number): boolean {
    const page = this.pages[number]
    return page?.[OUTCOME] === outcomes.indexOf('done') && page[FINAL_URL] === ''
  }
}

const linkKey = (url: string): string => withoutLastSlashes(withoutSection(url))

/** Texts that repeat over the pages of a report, each stored once. */
class TextTable {
  readonly #numbers = new Map<string, number>()
  readonly #texts: string[] = []

  /** Returns the number of a text; -1 for none. */
  add(text: string | undefined): number {
    if (text === undefined || text === '') return -1
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#texts.push(text) - 1
    this.#numbers.set(text, number)
    return number
  }

  /** Returns the text of a number. */
  read(number: number): string | undefined {
    return this.#texts[number]
  }

  /** All texts, each at the place of its number. */
  list(): readonly string[] {
    return this.#texts
  }
}
