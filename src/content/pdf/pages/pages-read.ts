import { deserialize, serialize } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type PageEdges, readEdges } from '../headers-footers/page-edges.js'
import { TextMeasure, type TypicalText } from '../layout/measure-text.js'
import type { PdfPageText } from '../page-text.js'
import { findRunningLines, type RunningLines } from '../headers-footers/running-lines.js'

/**
 * Number of pages that are kept uncompressed. Further ones are compressed to a tenth of their size, at a tenth of the
 * time that reading them takes.
 */
const MAX_UNCOMPRESSED_PAGES = 300

/** Holds the pages of a file until all are read, because typical text and repeated headers are known only then. */
export class PagesRead {
  readonly #open: PdfPageText[] = []
  readonly #packed: Uint8Array[] = []
  readonly #edges: PageEdges[] = []
  readonly #measure = new TextMeasure()
  /** Number of lines of all pages. */
  lines = 0

  get count(): number {
    return this.#edges.length
  }

  add(page: PdfPageText): void {
    this.#measure.add(page)
    this.#edges.push(readEdges(page))
    this.lines += page.regions.reduce((sum, { lines }) => sum + lines.length, 0)
    if (this.#open.length < MAX_UNCOMPRESSED_PAGES) this.#open.push(page)
    else this.#packed.push(deflateRawSync(serialize(page), { level: 1 }))
  }

  /** Measures the typical text, and finds headers and footers. */
  measure(): { readonly usual: TypicalText; readonly running: RunningLines } {
    const usual = this.#measure.usual()
    return { usual, running: findRunningLines(this.#edges, usual) }
  }

  /** Yields the pages and releases each, as pages and output together would need too much memory. */
  *take(): Generator<PdfPageText> {
    for (const pages of [this.#open, this.#packed]) pages.reverse()
    for (let page = this.#open.pop(); page !== undefined; page = this.#open.pop()) yield page
    for (let packed = this.#packed.pop(); packed !== undefined; packed = this.#packed.pop())
      yield deserialize(inflateRawSync(packed)) as PdfPageText
  }
}
