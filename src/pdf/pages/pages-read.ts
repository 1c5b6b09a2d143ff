import { deserialize, serialize } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type PageEdges, readEdges } from '../headers-footers/page-edges.js'
import { TextMeasure, type Usual } from '../layout/measure-text.js'
import type { PdfPageText } from '../page-text.js'
import { findRunningLines, type RunningLines } from '../headers-footers/running-lines.js'

/** Pages that are kept as they are. Each further one is packed, to a tenth of its size, for a tenth of the time that reading it took. */
const PAGES_OPEN = 300

/** The pages of a file, until all are read: only then it is known what is usual in them, and what repeats. */
export class PagesRead {
  readonly #open: PdfPageText[] = []
  readonly #packed: Uint8Array[] = []
  readonly #edges: PageEdges[] = []
  readonly #measure = new TextMeasure()
  /** Lines of all pages. */
  lines = 0

  get count(): number {
    return this.#edges.length
  }

  add(page: PdfPageText): void {
    this.#measure.add(page)
    this.#edges.push(readEdges(page))
    this.lines += page.regions.reduce((sum, { lines }) => sum + lines.length, 0)
    if (this.#open.length < PAGES_OPEN) this.#open.push(page)
    else this.#packed.push(deflateRawSync(serialize(page), { level: 1 }))
  }

  /** What is usual in them, and which of their lines are heads and feet. */
  measure(): { readonly usual: Usual; readonly running: RunningLines } {
    const usual = this.#measure.usual()
    return { usual, running: findRunningLines(this.#edges, usual) }
  }

  /** The pages one after the other, each of which is let go: what is made of them and they would not fit side by side. */
  *take(): Generator<PdfPageText> {
    for (const pages of [this.#open, this.#packed]) pages.reverse()
    for (let page = this.#open.pop(); page !== undefined; page = this.#open.pop()) yield page
    for (let packed = this.#packed.pop(); packed !== undefined; packed = this.#packed.pop())
      yield deserialize(inflateRawSync(packed)) as PdfPageText
  }
}
