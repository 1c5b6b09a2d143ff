import type { ReadPage } from './read-page.js'

/** Collects the pages of which text is left out or may be wrong. */
export class PageLosses {
  readonly #pages = new Map<string, number[]>()

  /**
   * Adds what a page has lost.
   *
   * @param number of the page, from 1
   * @param isScanned true if its text was read by OCR
   */
  add(number: number, { unmapped, isDoubtful, isUnreadable, hidden }: ReadPage, isScanned: boolean): void {
    if (hidden === 'some text') this.#note(number, 'text in layers that are switched off: it is left out.')
    if (hidden === 'unknown')
      this.#note(number, 'layers that are switched off, whose text cannot be told from the rest: it is kept.')
    if (isScanned) return
    if (unmapped !== 'nothing')
      this.#note(number, 'text in fonts that do not say which characters they show: it is left out.')
    else if (isUnreadable) this.#note(number, 'characters that the file does not name: they are missing or wrong.')
    if (isDoubtful) this.#note(number, 'words in fonts that do not say which characters they show: they may be wrong.')
  }

  /** Returns a warning for each kind of loss. */
  describe(): string[] {
    return [...this.#pages].map(
      ([loss, numbers]) => `${countAndName(numbers)} ${numbers.length === 1 ? 'has' : 'have'} ${loss}`,
    )
  }

  #note(number: number, loss: string): void {
    const known = this.#pages.get(loss)
    if (known === undefined) this.#pages.set(loss, [number])
    else known.push(number)
  }
}

/** Writes a number of pages and which they are. */
export function countAndName(numbers: readonly number[]): string {
  const named = numbers.slice(0, 10).join(', ')
  return `${countPages(numbers.length)} of the PDF file (${named}${numbers.length > 10 ? ', …' : ''})`
}

/** Writes a number of pages: `1 page`, `3 pages`. */
export const countPages = (number: number): string => `${number} page${number === 1 ? '' : 's'}`
