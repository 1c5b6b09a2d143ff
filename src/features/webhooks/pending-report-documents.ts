import type { Document } from '../../kernel/page/document.js'
import type { ReportedPage } from '../../kernel/ledger/outbox.js'

/** Documents of one page that are not reported yet. */
interface PendingPage {
  readonly documents: (Document | undefined)[]
  readonly bytesEach: number
  left: number
}

/** Maximum size of all held documents. The documents of a single page may exceed it. */
const MAX_BYTES = 32 * 1024 * 1024

/** Holds documents that the ledger does not keep until they are reported. */
export class PendingReportDocuments {
  readonly #pages = new Map<string, PendingPage>()
  #bytes = 0

  /** @param key of the page's row */
  add(key: string, documents: readonly Document[], bytesEach: number): void {
    const bytes = documents.length * bytesEach
    if (documents.length === 0 || (this.#bytes > 0 && this.#bytes + bytes > MAX_BYTES)) return
    this.#pages.set(key, { documents: [...documents], bytesEach, left: documents.length })
    this.#bytes += bytes
  }

  find({ key, at }: ReportedPage): Document | undefined {
    return this.#pages.get(key)?.documents[at]
  }

  remove({ key, at }: ReportedPage): void {
    const page = this.#pages.get(key)
    if (page?.documents[at] === undefined) return
    page.documents[at] = undefined
    page.left -= 1
    this.#bytes -= page.bytesEach
    if (page.left === 0) this.#pages.delete(key)
  }

  clear(): void {
    this.#pages.clear()
    this.#bytes = 0
  }
}
