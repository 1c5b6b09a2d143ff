/** The text of a block in a form in which equal texts are equal, however their Markdown is written. */
export interface InlineText {
  /**
   * All characters: white space as single spaces, escapes resolved, and markup as control characters, which no text has. Titles of
   * links are included, their targets are not.
   */
  readonly text: string
  /** Targets of links and images, in order. */
  readonly targets: readonly LinkTarget[]
}

/** The target of a link or an image, and its place in the source. */
export interface LinkTarget {
  readonly href: string
  readonly isImage: boolean
  /** True for `<https://…>`. */
  readonly isBare?: true
  /** Start of it, with its angle brackets. */
  readonly from: number
  readonly to: number
}

/** Marks of markup, as characters that are refused in texts. */
const MARK = {
  link: '\u0001',
  image: '\u0002',
  end: '\u0003',
  code: '\u0004',
  html: '\u0005',
  entity: '\u0006',
  definition: '\u0007',
} as const
/** Marks of emphasis, by their signs. */
const EMPHASIS: ReadonlyMap<string, string> = new Map([
  ['*', '\u000e'],
  ['_', '\u000e'],
  ['~', '\u000f'],
])
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#39', "'"],
  ['#34', '"'],
  ['nbsp', ' '],
])
const PUNCTUATION = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')
const SPACES = new Set([' ', '\t', '\n', '\u00a0', ''])
const LETTER = /^[\p{L}\p{N}]$/u

/** Reads the text of a block, in linear time. @param isCell true for the cell of a table, where `\|` is a bar in code too */
export const readInline = (source: string, isCell: boolean): InlineText => new InlineReader(source, isCell).read()

class InlineReader {
  readonly #source: string
  readonly #isCell: boolean
  readonly #out: string[] = []
  readonly #targets: LinkTarget[] = []
  #brackets: { readonly at: number; readonly isImage: boolean }[] = []
  /** Places in the output of what may be emphasis, by its sign. */
  readonly #signs: Readonly<Record<string, { readonly at: number; readonly run: string }[]>> = {
    '*': [],
    _: [],
    '~': [],
  }
  /** Starts of runs of backticks, last first, by length. */
  readonly #ticks: ReadonlyMap<number, number[]>
  #at = 0

  constructor(source: string, isCell: boolean) {
    this.#source = source
    this.#isCell = isCell
    this.#ticks = findTicks(source)
  }

  read(): InlineText {
    while (this.#at < this.#source.length) this.#step(this.#source.charAt(this.#at))
    for (const [sign, places] of Object.entries(this.#signs)) {
      // A sign without a partner is text.
      if (places.length < 2) continue
      for (const { at, run } of places) this.#out[at] = (EMPHASIS.get(sign) ?? sign).repeat(run.length)
    }
    const from = this.#out[0] === ' ' ? 1 : 0
    const to = this.#out.at(-1) === ' ' ? -1 : undefined
    return { text: this.#out.slice(from, to).join(''), targets: this.#targets }
  }

  #step(sign: string): void {
    if (SPACES.has(sign)) this.#space()
    else if (sign === '\\') this.#escape()
    else if (sign === '`') this.#code()
    else if (sign === '[') this.#open('[', false)
    else if (sign === '!' && this.#source[this.#at + 1] === '[') this.#open('![', true)
    else if (sign === ']') this.#close()
    else if (sign === '<') this.#angle()
    else if (sign === '&') this.#entity()
    else if (sign in this.#signs) this.#emphasis(sign)
    else this.#put(sign, 1)
  }

  #put(text: string, length: number): void {
    this.#out.push(text)
    this.#at += length
  }

  #space(length = 1): void {
    if (this.#out.at(-1) !== ' ') this.#out.push(' ')
    this.#at += length
  }

  #escape(): void {
    const next = this.#source.charAt(this.#at + 1)
    if (next === '\n') this.#space(2)
    else if (PUNCTUATION.has(next)) this.#put(next, 2)
    else this.#put('\\', 1)
  }

  #code(): void {
    const { length } = runAt(this.#source, this.#at)
    const from = this.#at + length
    const closings = this.#ticks.get(length) ?? []
    while ((closings.at(-1) ?? from) < from) closings.pop()
    const to = closings.at(-1)
    if (to === undefined) return this.#put('`'.repeat(length), length)
    const written = this.#source.slice(from, to)
    const isPadded = written.startsWith(' ') && written.endsWith(' ') && written.trim() !== ''
    const code = isPadded ? written.slice(1, -1) : written
    this.#put(MARK.code + (this.#isCell ? code.replaceAll('\\|', '|') : code) + MARK.code, to + length - this.#at)
  }

  #open(text: string, isImage: boolean): void {
    this.#brackets.push({ at: this.#out.length, isImage })
    this.#put(text, text.length)
  }

  #close(): void {
    const bracket = this.#brackets.pop()
    const tail = bracket && this.#source[this.#at + 1] === '(' ? readTail(this.#source, this.#at + 2) : undefined
    if (!bracket || !tail) {
      // The line defines a target or a footnote, which is no text.
      const isDefinition = bracket?.at === 0 && this.#source[this.#at + 1] === ':'
      return this.#put(isDefinition ? MARK.definition : ']', 1)
    }
    this.#out[bracket.at] = bracket.isImage ? MARK.image : MARK.link
    const { href, from, to, title, end } = tail
    this.#targets.push({ href, from, to, isImage: bracket.isImage })
    // A link has no link in it.
    if (!bracket.isImage) this.#brackets = []
    this.#put(MARK.end + title + MARK.end, end - this.#at)
  }

  /** Reads `<https://…>`, or the start of HTML. */
  #angle(): void {
    const from = this.#at + 1
    const next = this.#source.charAt(from)
    if (!LETTER.test(next) && next !== '/' && next !== '!' && next !== '?') return this.#put('<', 1)
    let to = from
    while (to < this.#source.length && !SPACES.has(this.#source.charAt(to)) && !'<>'.includes(this.#source.charAt(to)))
      to += 1
    const href = this.#source.slice(from, to)
    if (this.#source[to] !== '>' || !/^(?:https?|mailto):/i.test(href)) return this.#put(MARK.html, 1)
    this.#targets.push({ href, from: from - 1, to: to + 1, isImage: false, isBare: true })
    this.#put(MARK.link + href + MARK.end + MARK.end, to + 1 - this.#at)
  }

  #entity(): void {
    const written = this.#source.slice(this.#at + 1, this.#at + 34)
    const end = written.indexOf(';')
    const name = written.slice(0, Math.max(0, end))
    const decoded = ENTITIES.get(name)
    if (decoded === ' ') this.#space(end + 2)
    else if (decoded !== undefined) this.#put(decoded, end + 2)
    else this.#put(/^#?[a-z\d]+$/i.test(name) ? MARK.entity : '&', 1)
  }

  #emphasis(sign: string): void {
    const run = runAt(this.#source, this.#at)
    const before = this.#at === 0 ? '' : this.#source.charAt(this.#at - 1)
    const after = this.#source.charAt(this.#at + run.length)
    const isApart = SPACES.has(before) && SPACES.has(after)
    const isInWord = sign === '_' && LETTER.test(before) && LETTER.test(after)
    const isLong = sign === '~' && run.length > 2
    if (!isApart && !isInWord && !isLong) this.#signs[sign]?.push({ at: this.#out.length, run })
    this.#put(run, run.length)
  }
}

/** Returns the run of equal characters at a place. */
function runAt(source: string, at: number): string {
  let end = at + 1
  while (source[end] === source[at]) end += 1
  return source.slice(at, end)
}

function findTicks(source: string): ReadonlyMap<number, number[]> {
  const found = new Map<number, number[]>()
  for (let at = source.indexOf('`'); at !== -1;) {
    const { length } = runAt(source, at)
    const starts = found.get(length) ?? []
    starts.push(at)
    found.set(length, starts)
    at = source.indexOf('`', at + length)
  }
  for (const starts of found.values()) starts.reverse()
  return found
}

interface LinkTail {
  readonly href: string
  readonly from: number
  readonly to: number
  readonly title: string
  readonly end: number
}

/**
 * Reads the target and the title of a link, up to its bracket. None contains `](`, so that each character is read at most once.
 *
 * @returns undefined if it is none
 */
function readTail(source: string, start: number): LinkTail | undefined {
  let at = start
  const isIn = source[at] === '<'
  if (isIn) at += 1
  const from = at
  let depth = 0
  for (; at < source.length; at += 1) {
    const sign = source.charAt(at)
    if (sign === '\\' && PUNCTUATION.has(source.charAt(at + 1))) at += 1
    else if (sign === '\n' || sign === '<' || (sign === ']' && source[at + 1] === '(')) return undefined
    else if (isIn ? sign === '>' : SPACES.has(sign)) break
    else if (!isIn && sign === '(') depth += 1
    else if (!isIn && sign === ')') {
      if (depth === 0) break
      depth -= 1
    }
  }
  const href = unescape(source.slice(from, at))
  if (isIn) at += 1
  const to = at
  const [title, end] = readTitle(source, at) ?? ['', at]
  return depth === 0 && source[end] === ')' ? { href, from: start, to, title, end: end + 1 } : undefined
}

/** Reads the title of a link. @returns it, and the place after it; undefined if there is none */
function readTitle(source: string, start: number): readonly [title: string, end: number] | undefined {
  if (source[start] !== ' ') return undefined
  const quote = source.charAt(start + 1)
  if (quote !== '"' && quote !== "'") return undefined
  for (let at = start + 2; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === quote) return [unescape(source.slice(start + 2, at)), at + 1]
    else if (source[at] === ']' && source[at + 1] === '(') return undefined
  }
  return undefined
}

function unescape(text: string): string {
  let all = ''
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\' && PUNCTUATION.has(text.charAt(at + 1))) at += 1
    all += text.charAt(at)
  }
  return all
}
