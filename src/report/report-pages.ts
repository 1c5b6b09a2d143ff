import { deriveTemplate } from '../frontier/duplicates/url-template.js'
import type { LedgerRow } from '../ledger/ledger.js'
import { cutText } from '../text/cut-text.js'
import { parseUrl, withoutLastSlashes, withoutSection } from '../url.js'
import { outcomes, type PackedPage, vias } from './report-data.js'
import { TextTable } from './text-table.js'

/** Maximum rows that a report lists. It bounds its memory, here and in the browser: some 300 bytes a row. */
export const MAX_LISTED_PAGES = 200_000
/** Maximum length of a message in the list; the story of the page has the whole one. Characters. */
const MAX_MESSAGE_LENGTH = 300

/** Rows of a job, packed for the list of a report. */
export class ReportPages {
  readonly texts = new TextTable()
  readonly pages: PackedPage[] = []
  /** Pages of sitemaps that no other page links to. */
  readonly orphans: number[] = []
  /** Number of rows that are not listed. */
  unlisted = 0
  readonly #startedAtMs: number
  /** Numbers of pages by the keys of their URLs. */
  readonly #numbers = new Map<string, number>()

  /** @param startedAtMs time from which all times count. Milliseconds since the epoch */
  constructor(startedAtMs: number) {
    this.#startedAtMs = startedAtMs
  }

  /** Adds a row. @returns false when it is not listed, because there are too many */
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
    if (row.via === 'sitemap' && row.linked !== true) this.orphans.push(number)
    return true
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
    const [statusCode, attempts, credits, finalUrl, duplicateOf, template] = more
    const text = (number: number): number => this.texts.add(from.texts.read(number))
    const name = (other: number | string): number | string =>
      typeof other === 'number' ? (from.pages[other]?.[0] ?? -1) : other
    const [why, says, how, shape] = [text(reason), text(message), text(fetcher), text(template)]
    const found = name(foundOn)
    return (
      this.pages.push([
        ...([url, outcome, why, says, via, depth, found, endedMs, attemptMs, how] as const),
        ...([statusCode, attempts, credits, finalUrl, name(duplicateOf), shape] as const),
      ]) - 1
    )
  }

  #pack(row: LedgerRow): PackedPage {
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
      this.#name(foundOn),
      endedAtMs === undefined ? -1 : endedAtMs - this.#startedAtMs,
      // A document without a job has no times.
      (last && last.endedAtMs - last.startedAtMs) || -1,
      this.texts.add(last?.fetcher),
      last?.statusCode ?? -1,
      attempts.length,
      row.credits ?? 0,
      finalUrl ?? '',
      this.#name(duplicateOf),
      this.texts.add(parsed && deriveTemplate(parsed).names[0]),
    ]
  }

  #name(url: string | undefined): number | string {
    return url === undefined ? -1 : (this.find(url) ?? url)
  }
}

const linkKey = (url: string): string => withoutLastSlashes(withoutSection(url))
