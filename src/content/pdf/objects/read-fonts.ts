import { UnmappedFonts } from './unmapped-fonts.js'
import type { PdfPage, TextContent } from '../library/load-pdf.js'
import type { Face } from '../page-text.js'
import { ownValue } from '../../../base/collections/own-value.js'

const PLAIN: Face = { isBold: false, isItalic: false, isMono: false }

/** Collects the fonts of a file. */
export class Fonts {
  readonly #faces = new Map<string, Face>()
  readonly #unknown = new Set<string>()
  /** Fonts of which the file does not say which characters their glyphs are. */
  readonly unmapped = new UnmappedFonts()

  /** Collects the fonts of a page that are not known yet. The library reports their names when the page is drawn. */
  learn(page: PdfPage, styles: TextContent['styles']): void {
    const names = Object.keys(styles).filter((name) => !this.#faces.has(name) || this.#unknown.has(name))
    for (const name of names) {
      if (page.commonObjs.has(name) && isUnmapped(page.commonObjs.get(name))) this.unmapped.add(name)
      const isMono = ownValue(styles, name)?.fontFamily === 'monospace'
      if (page.commonObjs.has(name)) {
        this.#faces.set(name, describe(page.commonObjs.get(name), isMono))
        this.#unknown.delete(name)
      } else {
        this.#unknown.add(name)
        if (isMono) this.#faces.set(name, { ...PLAIN, isMono })
      }
    }
  }

  faceOf = (name: string): Face => this.#faces.get(name) ?? PLAIN

  /** Marks a font as Chinese or Japanese: all its glyphs have the same width, but it is not a code font. */
  markAsCjk(name: string): void {
    const face = this.#faces.get(name)
    if (face?.isMono) this.#faces.set(name, { ...face, isMono: false })
  }
}

/** Map of a font to Unicode. */
interface UnicodeMap {
  forEach(visit: (code: number, character: number | undefined) => void): void
}

/** Tests if the library maps the glyphs of a font by their numbers, or only by numbers in a collection of Adobe. */
function isUnmapped(font: unknown): boolean {
  const { composite, toUnicode } = font as { readonly composite?: boolean; readonly toUnicode?: UnicodeMap | null }
  if (composite !== true || toUnicode === undefined || toUnicode === null) return false
  return 'firstChar' in toUnicode || hasManyControls(toUnicode)
}

/** Number of control characters that a map can have beside a space or tab. */
const MAX_CONTROLS = 8

/**
 * Tests if much of a map are control characters, as in those of `NamedMaps`. U+0000 is not counted: some programs write it for
 * glyphs that they do not know.
 */
function hasManyControls(map: UnicodeMap): boolean {
  let [all, controls] = [0, 0]
  map.forEach((_code, character = 0) => {
    all += 1
    if (character > 0 && character < 32) controls += 1
  })
  return controls > Math.max(MAX_CONTROLS, all / 4)
}

function describe(font: unknown, isMono: boolean): Face {
  const { name, bold, black, italic, isMonospace } = font as Record<string, unknown>
  return faceOf(typeof name === 'string' ? name : '', {
    isBold: bold === true || black === true,
    isItalic: italic === true,
    isMono: isMono || isMonospace === true,
  })
}

// TeX fonts do not set the flag of monospaced fonts: cmtt, ectt, sftt, lmmono, txtt, …
const MONO =
  /mono|cour(?:ier)?|typewriter|consol|terminal|inconsolata|menlo|monaco|fixed|(?:^|[+-])(?:cm|ec|sf|ae|la|tx|px|lc|bitstream)[a-z]?(?:tt|sltt|itt|tctt)\d*|nimbusmon|luximono|sourcecode|firacode/i
const BOLD = /bold|black|heavy|demi|(?:^|[+-])(?:cm|ec|sf|la)(?:bx|b|ssbx|bxti|bxsl|rb|xc)\d|-medi|(?:^|\W)bd(?:\W|$)/i
const ITALIC = /ital|obliq|slanted|(?:^|[+-])(?:cm|ec|sf|la)(?:ti|sl|ssi|itt|sltt|bxti|bxsl|mi)\d|-obli|-reguital/i

/** Returns the style of a font from its name and flags. */
function faceOf(name: string, flags: { isBold: boolean; isItalic: boolean; isMono: boolean }): Face {
  return {
    isBold: flags.isBold || BOLD.test(name),
    isItalic: flags.isItalic || ITALIC.test(name),
    isMono: flags.isMono || MONO.test(name),
  }
}
