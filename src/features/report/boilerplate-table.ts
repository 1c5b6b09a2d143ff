import type { PackedBoilerplate } from './report-data.js'

/** Maximum different texts. */
const MAX_TEXTS = 1000
/** Maximum pages that are listed for one text. */
const MAX_PAGES = 10

/** Repeated texts that were left out of pages, each with the pages. */
export class BoilerplateTable {
  readonly #texts = new Map<string, { count: number; readonly pages: number[] }>()

  /** Adds the texts of a page. */
  add(page: number, texts: readonly string[]): void {
    for (const text of texts) {
      const known = this.#texts.get(text)
      if (known) {
        known.count += 1
        if (known.pages.length < MAX_PAGES) known.pages.push(page)
      } else if (this.#texts.size < MAX_TEXTS) this.#texts.set(text, { count: 1, pages: [page] })
    }
  }

  /** Lists the texts, those of most pages first. */
  list(): PackedBoilerplate[] {
    return [...this.#texts]
      .map(([text, { count, pages }]): PackedBoilerplate => [text, count, pages])
      .toSorted(([, one], [, other]) => other - one)
  }
}
