import { printSeen, TrawlError } from '../../base/errors.js'
import { countBytes, END_LEFT_OUT, MAX_TEXT_BYTES, type Reading, type ToolText } from './answer.js'

/** Bounds of a {@link TextStore}. */
interface TextBounds {
  readonly maxTexts: number
  readonly maxBytes: number
}

const DEFAULT_BOUNDS: TextBounds = { maxTexts: 200, maxBytes: MAX_TEXT_BYTES }

/** A kept document. */
interface KeptDocument {
  readonly id: string
  readonly url: string
  readonly title?: string
}

/** Keeps texts that were not read to their end, and documents. Beyond its bounds it forgets the oldest. */
export class TextStore {
  readonly #bounds: TextBounds
  readonly #texts = new Map<string, { readonly text: ToolText; readonly bytes: number }>()
  #bytes = 0
  #count = 0

  constructor(bounds: TextBounds = DEFAULT_BOUNDS) {
    this.#bounds = bounds
  }

  /** Keeps a text. @returns its id */
  keep(given: ToolText): string {
    const { text, bytes } = this.#shorten(given)
    this.#count += 1
    const id = `text-${this.#count}`
    this.#texts.set(id, { text, bytes })
    this.#bytes += bytes
    const { maxTexts, maxBytes } = this.#bounds
    for (const [oldest, { bytes: freed }] of this.#texts) {
      if (this.#texts.size <= maxTexts && this.#bytes <= maxBytes) break
      this.#texts.delete(oldest)
      this.#bytes -= freed
    }
    return id
  }

  /**
   * Finds a text by its handle.
   *
   * @param handle `text-3:12`; without a number, the text from its beginning
   * @throws TrawlError `BAD_REQUEST`
   */
  read(handle: string): Reading {
    const [id = '', index = '0'] = handle.split(':', 2)
    const text = this.#texts.get(id)?.text
    const from = Number(index)
    if (!text) throw new TrawlError('BAD_REQUEST', this.#explainMissing(handle, id))
    if (Number.isInteger(from) && from >= 0 && (from < text.parts.length || from === 0)) return { id, text, from }
    throw new TrawlError('BAD_REQUEST', `\`handle\`: ${printSeen(handle)} begins after the end of its text`)
  }

  /** Lists the documents, oldest first. */
  documents(): KeptDocument[] {
    return [...this.#texts].flatMap(([id, { text }]) => (text.document ? [{ id, ...text.document }] : []))
  }

  #explainMissing(handle: string, id: string): string {
    const number = Number(/^text-(\d{1,9})$/.exec(id)?.[1])
    const { maxTexts, maxBytes } = this.#bounds
    const bounds = `${maxTexts} texts and ${Math.round(maxBytes / 1024 / 1024)} MiB are kept, and the oldest are forgotten first`
    return number >= 1 && number <= this.#count
      ? `\`handle\`: the text of ${printSeen(handle)} was forgotten (${bounds}): call the tool that gave it again`
      : `\`handle\`: ${printSeen(handle)} is no handle: give one from the end of an earlier answer`
  }

  /** Leaves out the end of a text that alone exceeds the bounds. */
  #shorten(text: ToolText): { text: ToolText; bytes: number } {
    const { maxBytes } = this.#bounds
    let bytes = countBytes(text.head + (text.about ?? ''))
    for (const [index, part] of text.parts.entries()) {
      const size = countBytes(part)
      if (bytes + size > maxBytes) {
        const parts = [...text.parts.slice(0, index), END_LEFT_OUT]
        return { text: { ...text, parts }, bytes }
      }
      bytes += size
    }
    return { text, bytes }
  }
}
