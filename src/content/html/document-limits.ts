/** Maximum lengths of the parts of a document. Characters. */
export interface DocumentLimits {
  /** Maximum length of each part: of a format, of the links, of the rows of a list. */
  readonly part: number
  /** Number of these that may be added to what the page has written, such as the start of a relative address. */
  readonly added: number
}

/** Limits of a document without any: its page was not fetched. */
export const NO_LIMITS: DocumentLimits = { part: Infinity, added: Infinity }

/** Default of the limit, as a multiple of the page. */
const TIMES_OF_PAGE = 4
const MIB = 1024 * 1024
/** Least and largest default of the limit. Characters. The largest is a sixteenth of the heap of a thread that reads pages. */
const LEAST = MIB
const MOST = 32 * MIB

/**
 * Limits the document of a page. A small page could become a document of any length: thousands of links that are relative
 * to a long address, a cell that spans thousands of rows.
 *
 * @param sourceBytes size of the page; of an office file, of its unpacked parts
 * @param maxLength the limit that the engine was given. @default four times the page, at least 1 MiB and at most 32 MiB
 */
export function limitDocument(
  sourceBytes: number,
  maxLength = Math.min(Math.max(sourceBytes * TIMES_OF_PAGE, LEAST), MOST),
): DocumentLimits {
  // What the page has written itself has its place also at the end, with the tags and quotes that it leaves out.
  return { part: maxLength, added: Math.max(maxLength / 2, maxLength - 1.1 * sourceBytes) }
}

/** Counts the characters of one part of a document. */
export class CharacterBudget {
  /** Number of times that something was left out, because it did not fit. */
  leftOut: number
  #left: number

  constructor(most: number) {
    this.#left = most
    this.leftOut = 0
  }

  /** Takes a number of characters. @returns false if there are not so many left: then none are taken */
  take(characters: number): boolean {
    if (characters > this.#left && characters > 0) {
      this.leftOut += 1
      return false
    }
    this.#left -= characters
    return true
  }

  /** Takes characters that are written in any case; a negative number gives some back. */
  spend(characters: number): void {
    this.#left -= characters
  }
}

/** Writes the sentence of the document's warning about what was left out. @param what such as `addresses of the content` */
export const limitWarning = (count: number, what: string, most: number): string =>
  `${count} ${what}, as this part of the document is limited to ${Math.floor(most)} characters (\`maxDocumentLength\`).`
