interface Field {
  code: string
  isResult: boolean
  /** Where its result leads, or that of a field around it. */
  href: string | undefined
}

/** The fields that are open while the text of a file is read: a code that is not shown, then the result that is. @see ECMA-376 part 1, 17.16 */
export class OpenFields {
  private readonly open: Field[] = []
  private codes = 0

  begin(): void {
    this.open.push({ code: '', isResult: false, href: this.href })
    this.codes += 1
  }

  addCode(text: string): void {
    const field = this.open.at(-1)
    // Codes are short; a hostile one would be kept whole.
    if (field !== undefined && !field.isResult && field.code.length < 4000) field.code += text
  }

  separate(): void {
    const field = this.open.at(-1)
    if (field === undefined || field.isResult) return
    field.isResult = true
    this.codes -= 1
    field.href = linkOf(field.code) ?? field.href
  }

  end(): void {
    const field = this.open.pop()
    if (field?.isResult === false) this.codes -= 1
  }

  /** Where text that stands here leads. */
  get href(): string | undefined {
    return this.open.at(-1)?.href
  }

  /** Whether text that stands here is a part of a code: what a field inside of it came to. */
  get isInCode(): boolean {
    return this.codes > 0 && this.open.length > 1
  }
}

/** Where the field leads: `HYPERLINK "https://…" \l "place"`. */
export function linkOf(code: string): string | undefined {
  if (!/^\s*HYPERLINK\b/i.test(code)) return undefined
  const [, address = ''] = /^\s*HYPERLINK\s+(?:"([^"]*)"|(?![\\"])\S+)/i.exec(code) ?? []
  const unquoted = /^\s*HYPERLINK\s+((?![\\"])\S+)/i.exec(code)?.[1] ?? ''
  const place = /\\l\s+(?:"([^"]*)"|(\S+))/i.exec(code)
  const fragment = place?.[1] ?? place?.[2]
  const href = `${address || unquoted}${fragment === undefined ? '' : `#${fragment}`}`
  return href === '' ? undefined : href
}
