import { boundedNumber } from '../elements/create-element.js'
import { symbolAt, symbolFontOf } from '../elements/symbol-fonts.js'
import { child, childrenNamed, type XmlElement } from '../package/xml.js'

interface Field {
  code: string
  isResult: boolean
  /** Target of the field's result, or of an enclosing field. */
  href: string | undefined
  /** Value of a form field whose result is empty. */
  value: string
}

/**
 * Tracks the open fields of a text. A field has a code, which is not displayed, and then a result, which is.
 *
 * @see ECMA-376 part 1, section 17.16
 */
export class OpenFields {
  readonly #open: Field[] = []
  #codes = 0

  /** @param value displayed if the field has no result */
  begin(value: string): void {
    this.#open.push({ code: '', isResult: false, href: this.href, value })
    this.#codes += 1
  }

  addCode(text: string): void {
    const field = this.#open.at(-1)
    // Real codes are short; the bound keeps a hostile file from storing long ones.
    if (field !== undefined && !field.isResult && field.code.length < 4000) field.code += text
  }

  addResult(text: string): void {
    const field = this.#open.at(-1)
    if (field?.isResult === true && text.trim() !== '') field.value = ''
  }

  separate(): void {
    const field = this.#open.at(-1)
    if (field === undefined || field.isResult) return
    field.isResult = true
    this.#codes -= 1
    field.href = linkOf(field.code) ?? field.href
  }

  /**
   * @returns displayed text of a field that has no result: the value of a form field, what the code itself displays, otherwise
   * empty
   */
  end(): string {
    const field = this.#open.pop()
    if (field === undefined) return ''
    if (!field.isResult) this.#codes -= 1
    if (this.#codes > 0) return ''
    return field.value === '' && !field.isResult ? textInCode(field.code) : field.value
  }

  /** Link target of text at this position. */
  get href(): string | undefined {
    return this.#open.at(-1)?.href
  }

  /** True while text belongs to the code of a field. The result of a field inside a code belongs to that code too. */
  get isInCode(): boolean {
    return this.#codes > 0 && this.#open.length > 1
  }
}

/**
 * Returns the displayed value of a check box or a list of choices; empty for a text, whose value is the field's result.
 *
 * @see ECMA-376 part 1, section 17.16.17
 */
export function readFormValue(data: XmlElement | undefined): string {
  const box = child(data, 'w:checkBox')
  if (box !== undefined) {
    const state = child(box, 'w:checked') ?? child(box, 'w:default')
    return state === undefined || /^(?:0|false|off)$/.test(state.attributes['w:val'] ?? '') ? '☐' : '☒'
  }
  const list = child(data, 'w:ddList')
  const choices = childrenNamed(list, 'w:listEntry')
  const chosen = (child(list, 'w:result') ?? child(list, 'w:default'))?.attributes['w:val']
  return choices[boundedNumber(chosen, { least: 0, most: choices.length, otherwise: 0 })]?.attributes['w:val'] ?? ''
}

/**
 * Matches a field that runs a macro or goes to a place: `MACROBUTTON AcceptAll Click here`. It never has a result.
 *
 * @see ECMA-376 part 1, section 17.16.5
 */
const BUTTON = /^\s*(?:MACROBUTTON|GOTOBUTTON)\s+(?:"[^"]*"|[^\s"]+)\s+(\S.*)/is

/** Returns the text that a field displays by its code: the label of a button, the character of a symbol; otherwise empty. */
export const textInCode = (code: string): string => BUTTON.exec(code)?.[1]?.trimEnd() ?? symbolIn(code)

/** Returns the character of a symbol field: `SYMBOL 109 \\f "Symbol"`. */
function symbolIn(code: string): string {
  const [, place, font] =
    /^\s*SYMBOL\s+(\d{1,5}|0x[\da-f]{1,4})\s(?:.{0,40}\\f\s*"?([^"\\]{1,60}))?/i.exec(`${code} `) ?? []
  const symbols = symbolFontOf(font)
  const number = Number(place)
  if (symbols !== undefined) return symbolAt(number, symbols)
  return number >= 0x20 && number < 0xd800 ? String.fromCodePoint(number) : ''
}

/** Matches a cross-reference that is a link: `REF _Ref123 \\h`. */
const REFERENCE = /^\s*(?:REF|NOTEREF)\s+(?!\\)([^\s"\\]{1,200})\s.*\\h\b/i

/** Returns the link target of a field code: `HYPERLINK "https://…" \l "bookmark"`. */
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
