import { isCodeFont, kindByName, type ParagraphKind } from '../elements/line-builder.js'
import { codePageOf } from './rtf-charsets.js'
import { type SymbolFont, symbolFontOf } from '../elements/symbol-fonts.js'

interface Named {
  name: string
}

/** Font table and style sheet of an RTF file. */
export class RtfSheets {
  readonly #fonts = new Map<number, Named & { codePage?: number }>()
  readonly #styles = new Map<number, Named & { outline?: number }>()
  readonly #colours: string[] = []
  #colour: string[] = []
  #font: number | undefined
  #style: number | undefined

  /** Reads a control word of the colour table, whose entries end in a semicolon. */
  readColourWord(word: string, number = 0): void {
    const at = ['red', 'green', 'blue'].indexOf(word)
    if (at !== -1) this.#colour[at] = Math.min(255, Math.max(0, number)).toString(16).padStart(2, '0')
  }

  endColours(text: string): void {
    for (const sign of text) {
      if (sign !== ';' || this.#colours.length >= MAX_NAMED) continue
      this.#colours.push(this.#colour.join(''))
      this.#colour = []
    }
  }

  /** Returns a colour of the table; undefined for that of the window. */
  colourOf(number: number | undefined): string | undefined {
    return this.#colours[number ?? 0] || undefined
  }

  /** Reads a control word of the font table. */
  readFontWord(word: string, number = 0): void {
    if (word === 'f') {
      this.#font = number
      if (this.#fonts.size < MAX_NAMED) this.#fonts.set(number, { name: '' })
    }
    const font = this.#fonts.get(this.#font ?? -1)
    if (word === 'fcharset' && font !== undefined) font.codePage = codePageOf(number)
    if (word === 'cpg' && font !== undefined) font.codePage = number
  }

  readFontName(text: string): void {
    addName(this.#fonts.get(this.#font ?? -1), text)
  }

  /** Reads a control word of the style sheet; the style without a number is 0. */
  readStyleWord(word: string, number = 0): void {
    if (word === 's') this.#style = number
    // Character and table styles are numbered separately.
    if (word === 'cs' || word === 'ds' || word === 'ts') this.#style = -1
    if (this.#style === -1) return
    const known = this.#styles.get(this.#style ?? 0) ?? { name: '' }
    if (this.#styles.size < MAX_NAMED) this.#styles.set(this.#style ?? 0, known)
    if (word === 'outlinelevel' && number >= 0 && number <= 8) known.outline = number + 1
  }

  readStyleName(text: string): void {
    if (this.#style === -1) return
    const known = this.#styles.get(this.#style ?? 0) ?? { name: '' }
    if (this.#styles.size < MAX_NAMED) this.#styles.set(this.#style ?? 0, known)
    addName(known, text)
  }

  /** Ends the definition of a style. */
  endStyle(): void {
    this.#style = undefined
  }

  codePageOf(font: number | undefined): number | undefined {
    return this.#fonts.get(font ?? -1)?.codePage
  }

  symbolsOf(font: number | undefined): SymbolFont | undefined {
    return symbolFontOf(this.#fonts.get(font ?? -1)?.name.split(';', 1)[0])
  }

  isCode(font: number | undefined): boolean {
    return isCodeFont(this.#fonts.get(font ?? -1)?.name)
  }

  /** Returns the heading level of a style, 1 to 9; undefined if it is not a heading style. */
  headingLevelOf(style: number | undefined): number | undefined {
    const known = this.#styles.get(style ?? 0)
    const name = known?.name.split(';', 1)[0]?.trim() ?? ''
    const level = /^heading ([1-9])$/i.exec(name)?.[1]
    return level === undefined ? (/^title$/i.test(name) ? 1 : known?.outline) : Number(level)
  }

  kindOf(style: number | undefined): ParagraphKind | undefined {
    return kindByName(
      this.#styles
        .get(style ?? 0)
        ?.name.split(';', 1)[0]
        ?.trim(),
    )
  }
}

const MAX_NAMED = 5000

const MAX_NAME_LENGTH = 200

function addName(named: Named | undefined, text: string): void {
  if (named !== undefined && named.name.length < MAX_NAME_LENGTH) named.name += text
}
