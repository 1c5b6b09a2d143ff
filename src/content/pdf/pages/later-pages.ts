import type { OpenPdf, TextContent } from '../library/load-pdf.js'

/** Reads the text of pages before their turn, until the file is closed. */
export class LaterPages {
  /** Number of streams that were ended because such a page exceeded the limits. */
  endedStreams = 0

  /**
   * @param last number of the last page, from 1
   * @param takeTurn called before each page
   */
  constructor(
    readonly opened: OpenPdf,
    readonly last: number,
    readonly takeTurn: () => Promise<void>,
  ) {}

  /** Returns the text of a page, or nothing if it is broken or after the last one. */
  read = async (number: number): Promise<TextContent | undefined> => {
    if (number > this.last) return undefined
    await this.takeTurn()
    const endedBefore = this.opened.endedStreams()
    try {
      const page = await this.opened.file.getPage(number)
      const content = await page.getTextContent({ includeMarkedContent: false })
      page.cleanup()
      return content
    } catch {
      return undefined
    } finally {
      this.endedStreams += this.opened.endedStreams() - endedBefore
    }
  }
}
