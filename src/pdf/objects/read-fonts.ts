import { yieldTurn } from '../../concurrency/yield-turn.js'
import { faceOf } from './face-of.js'
import type { PdfPage, TextContent, TextItem } from '../library/load-pdf.js'
import type { Face } from '../page-text.js'
import { ownValue } from '../../collections/own-value.js'

const PLAIN: Face = { isBold: false, isItalic: false, isMono: false }

/**
 * Number of pages that may be drawn only to learn the names of their fonts, which is expensive. One more is allowed for
 * every `PAGES_PER_DRAWING` pages of the file.
 */
const INITIAL_DRAWINGS = 8
const PAGES_PER_DRAWING = 10

/** Collects the fonts of a file. The library reports their names only when a page is drawn. */
export class Fonts {
  readonly #faces = new Map<string, Face>()
  readonly #unknown = new Set<string>()
  /** Fonts of which the file does not say which characters their glyphs are. */
  readonly #unmapped = new Set<string>()
  #unmappedLetters = 0
  #unmappedControls = 0
  #pages = 0
  #drawn = 0

  /** Collects the fonts of a page that are not known yet. */
  async learn(page: PdfPage, { styles }: TextContent): Promise<void> {
    this.#pages += 1
    const names = Object.keys(styles).filter((name) => !this.#faces.has(name))
    if (names.length === 0) return
    if (
      names.some((name) => !this.#unknown.has(name)) &&
      this.#drawn < INITIAL_DRAWINGS + this.#pages / PAGES_PER_DRAWING
    ) {
      this.#drawn += 1
      await page.getOperatorList({ annotationMode: 0 }).catch(() => undefined)
      await yieldTurn()
    }
    for (const name of names) {
      if (page.commonObjs.has(name) && isUnmapped(page.commonObjs.get(name))) this.#unmapped.add(name)
      const isMono = ownValue(styles, name)?.fontFamily === 'monospace'
      if (page.commonObjs.has(name)) this.#faces.set(name, describe(page.commonObjs.get(name), isMono))
      else {
        this.#unknown.add(name)
        if (isMono) this.#faces.set(name, { ...PLAIN, isMono })
      }
    }
  }

  faceOf = (name: string): Face => this.#faces.get(name) ?? PLAIN

  /**
   * Removes the text of a page whose characters are unknown. Of fonts without a map to Unicode, the library gives the numbers of
   * the glyphs. If they are numbers of characters all the same, no control characters are among them.
   */
  dropUnmapped(content: TextContent): TextContent {
    if (this.#unmapped.size === 0) return content
    const isUnknown = (item: TextContent['items'][number]): item is TextItem =>
      'str' in item && this.#unmapped.has(item.fontName)
    const unknown = content.items.filter(isUnknown)
    for (const { str } of unknown) {
      this.#unmappedLetters += str.length
      this.#unmappedControls += str.match(CONTROLS)?.length ?? 0
    }
    const isText = this.#unmappedControls <= MAX_CONTROLS * this.#unmappedLetters
    if (isText || unknown.every(({ str }) => str.trim() === '')) return content
    return { ...content, items: content.items.filter((item) => !isUnknown(item)) }
  }

  /** Marks a font as Chinese or Japanese: all its glyphs have the same width, but it is not a code font. */
  markAsCjk(name: string): void {
    const face = this.#faces.get(name)
    if (face?.isMono) this.#faces.set(name, { ...face, isMono: false })
  }
}

// oxlint-disable-next-line no-control-regex -- control characters are matched on purpose
const CONTROLS = /[\u0000-\u001f]/g
/**
 * Maximum share of control characters in text. Numbers of glyphs mostly follow ASCII from the space, which is 3, so that digits and
 * punctuation are control characters: 23 % of the prose of `docs/guides/`, and 7 % of it without its spaces.
 */
const MAX_CONTROLS = 0.01

/** Tests if the library maps the glyphs of a font by their numbers. */
function isUnmapped(font: unknown): boolean {
  const { composite, toUnicode } = font as Record<string, unknown>
  return composite === true && typeof toUnicode === 'object' && toUnicode !== null && 'firstChar' in toUnicode
}

function describe(font: unknown, isMono: boolean): Face {
  const { name, bold, black, italic, isMonospace } = font as Record<string, unknown>
  return faceOf(typeof name === 'string' ? name : '', {
    isBold: bold === true || black === true,
    isItalic: italic === true,
    isMono: isMono || isMonospace === true,
  })
}
