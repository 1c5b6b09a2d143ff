import { symbolAt, symbolFontOf } from '../elements/symbol-fonts.js'

interface Field {
  code: string
  isResult: boolean
  /** Where its result leads, or that of a field around it. */
  href: string | undefined
}

/** The fields that are open while the text of a file is read: a code that is not shown, then the result that is. @see ECMA-376 part 1, 17.16 */
export class OpenFields {
  readonly #open: Field[] = []
  #codes = 0

  begin(): void {
    this.#open.push({ code: '', isResult: false, href: this.href })
    this.#codes += 1
  }

  addCode(text: string): void {
    const field = this.#open.at(-1)
    // Codes are short; a hostile one would be kept whole.
    if (field !== undefined && !field.isResult && field.code.length < 4000) field.code += text
  }

  separate(): void {
    const field = this.#open.at(-1)
    if (field === undefined || field.isResult) return
    field.isResult = true
    this.#codes -= 1
    field.href = linkOf(field.code) ?? field.href
  }

  /** @returns what is seen of a field without a result: a sign by its place in a font */
  end(): string {
    const field = this.#open.pop()
    if (field?.isResult !== false) return ''
    this.#codes -= 1
    return this.#codes > 0 ? '' : symbolIn(field.code)
  }

  /** Where text that stands here leads. */
  get href(): string | undefined {
    return this.#open.at(-1)?.href
  }

  /** Whether text that stands here is a part of a code: what a field inside of it came to. */
  get isInCode(): boolean {
    return this.#codes > 0 && this.#open.length > 1
  }
}

/** The sign of a field: `SYMBOL 109 \\f "Symbol"`. */
function symbolIn(code: string): string {
  const [, place, font] =
    /^\s*SYMBOL\s+(\d{1,5}|0x[\da-f]{1,4})\s(?:.{0,40}\\f\s*"?([^"\\]{1,60}))?/i.exec(`${code} `) ?? []
  const symbols = symbolFontOf(font)
  const number = Number(place)
  if (symbols !== undefined) return symbolAt(number, symbols)
  return number >= 0x20 && number < 0xd800 ? String.fromCodePoint(number) : ''
}

/** A reference that leads to a place in the file: `REF _Ref123 \\h`. */
const REFERENCE = /^\s*(?:REF|NOTEREF)\s+(?!\\)([^\s"\\]{1,200})\s.*\\h\b/i

/** Where the field leads: `HYPERLINK "https://…" \l "place"`. */
export function linkOf(code: string): string | undefined {
  const place = REFERENCE.exec(code)?.[1]
  if (place !== undefined) return `#${place}`
  if (!/^\s*HYPERLINK\b/i.test(code)) return undefined
  const [, address = ''] = /^\s*HYPERLINK\s+(?:"([^"]*)"|(?![\\"])\S+)/i.exec(code) ?? []
  const unquoted = /^\s*HYPERLINK\s+((?![\\"])\S+)/i.exec(code)?.[1] ?? ''
  const part = /\\l\s+(?:"([^"]*)"|(\S+))/i.exec(code)
  const fragment = part?.[1] ?? part?.[2]
  const href = `${address || unquoted}${fragment === undefined ? '' : `#${fragment}`}`
  return href === '' ? undefined : href
}
