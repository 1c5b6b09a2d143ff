import {
  type HtmlTag,
  isFrameElement,
  isShadowRoot,
  isWaiting,
  nameOf,
  readTag,
  sourceOf,
  endOfTag,
} from './html-tags.js'

/** The text of a page and its elements that scripts may fill, counted in its HTML source without a tree. */
export interface PageText {
  /** Characters of visible text outside of {@link frameLength}. */
  readonly ownLength: number
  /** Characters of visible text in `nav`, `header`, `footer`, `aside` and notes on cookies. */
  readonly frameLength: number
  /** Images, videos, form fields and the like. */
  readonly media: number
  /** Scripts that a browser would run. */
  readonly scripts: number
  /** Characters of inline scripts, data for scripts included. */
  readonly scriptBytes: number
  /** Elements without text or media that scripts could fill, as `#id`, `tag` or `main`. At most 20. */
  readonly emptyElements: readonly string[]
  /** The same elements, with the offsets of their content in the decoded page. */
  readonly emptyPlaces: readonly EmptyPlace[]
  /** The start of each `noscript`, up to 20,000 characters in all. */
  readonly noscript: string
  /** Characters of text in `noscript`, tags left out. */
  readonly noscriptLength: number
  /** The first 400 characters of the page's own text. */
  readonly ownStart: string
  /** Elements that state that their content is still to come: `aria-busy`, skeletons. */
  readonly waiting: number
}

/** An element without text or media. */
export interface EmptyPlace {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Tags, comments and texts that are read: a page with more of them before its first text is none that scripts fill. */
const MAX_PIECES = 25_000
/** Characters that are measured of a text between two tags, and of all of them together. */
const MAX_TEXT = 100_000
const MAX_TEXTS = 500_000
const MAX_DEPTH = 200
const MAX_EMPTY = 20
/** Characters that tell a note in `noscript` from a page in it. */
const MAX_NOSCRIPT = 20_000
/** Characters that are kept of one `noscript`. */
const MAX_NOTE = 2_000
/** Characters of the page's own text that are kept, for what it asks of its reader. */
const MAX_START = 400
/** An element that scripts fill holds at most a placeholder such as "Loading…". Characters. */
export const PLACEHOLDER_LENGTH = 40
/** A `main` with one word of content is not empty: its placeholder is shorter. Characters. */
const MAIN_PLACEHOLDER_LENGTH = 12

/** Elements whose content is no markup, or not part of the page's text. */
const rawElements = /^(?:script|style|noscript|template|textarea|title|iframe|xmp|noembed|svg|math|object)$/
const mediaElements = /^(?:img|picture|video|audio|canvas|input|select|button|embed)$/
const containers = /^(?:div|main|section|article|body|nav|header|footer|aside)$|-/

interface OpenElement {
  readonly tag: string
  readonly name: string | undefined
  readonly isFrame: boolean
  readonly contentFrom: number
  readonly textBefore: number
  readonly mediaBefore: number
}

/** Scans HTML source in one pass, in time linear in its size. */
export class TextScanner {
  readonly #html: string
  readonly #enough: number
  readonly #found = {
    own: 0,
    frame: 0,
    media: 0,
    scripts: 0,
    scriptBytes: 0,
    waiting: 0,
    noscript: '',
    noscriptLength: 0,
    start: '',
  }
  readonly #empty: EmptyPlace[] = []
  readonly #open: OpenElement[] = []
  /** The number of open elements of a name, so that an end tag that closes none costs no search. */
  readonly #openTags = new Map<string, number>()
  /** Patterns of the ends of raw elements, made once each: a page may hold thousands of such elements. */
  readonly #closings = new Map<string, RegExp>()
  #openFrames = 0
  #pieces = 0
  #measured = 0

  /** @param enough own text after which the scan ends. Characters */
  constructor(html: string, enough: number) {
    this.#html = html
    this.#enough = enough
  }

  scan(): PageText {
    for (let at = 0; at < this.#html.length && this.#found.own < this.#enough;) {
      this.#pieces += 1
      if (this.#pieces > MAX_PIECES || this.#measured > MAX_TEXTS) break
      const from = this.#html.indexOf('<', at)
      if (from !== at) this.#addText(this.#html.slice(at, from < 0 ? this.#html.length : from))
      if (from < 0) break
      const next = this.#readMarkup(from)
      if (next === undefined) break
      at = next
    }
    for (const { tag } of this.#open.toReversed()) this.#close(tag, this.#html.length)
    const { own, frame, start, ...rest } = this.#found
    return {
      ...rest,
      ownLength: own,
      frameLength: frame,
      ownStart: start,
      emptyElements: this.#empty.map(({ name }) => name),
      emptyPlaces: this.#empty,
    }
  }

  /** Reads the comment, tag or stray `<` at an offset. Returns the offset behind it; undefined where it has no end. */
  #readMarkup(from: number): number | undefined {
    if (this.#html.startsWith('<!--', from)) return endBehind(this.#html, '-->', from + 4)
    const tag = readTag(this.#html, from)
    if (tag) return this.#readTag(tag)
    const isMarkup = /^<[!?/]/.test(this.#html.slice(from, from + 2))
    return isMarkup ? endBehind(this.#html, '>', from) : from + 1
  }

  /** Returns the offset behind the tag, or behind the whole element where its content is not read as markup. */
  #readTag(tag: HtmlTag): number {
    const { name } = tag
    if (tag.isEnd) this.#close(name, tag.from)
    else if (rawElements.test(name) && !isShadowRoot(name, this.#html.slice(tag.from, tag.to))) {
      return this.#readRawElement(tag)
    } else if (mediaElements.test(name)) this.#found.media += 1
    else if (containers.test(name) && this.#open.length < MAX_DEPTH) this.#enter(tag)
    return tag.to
  }

  #readRawElement(tag: HtmlTag): number {
    const { name, to } = tag
    const closing = this.#closings.get(name) ?? new RegExp(`</${name}[\\s/>]`, 'gi')
    this.#closings.set(name, closing)
    closing.lastIndex = to
    const end = closing.exec(this.#html)?.index ?? this.#html.length
    if (name === 'script') this.#addScript(sourceOf(this.#html, tag), end - to)
    if (name === 'noscript') {
      this.#addNoscript(this.#html.slice(to, end))
      // Its markup is read as well.
      this.#pieces += 2
    }
    if (name === 'iframe' || name === 'object') this.#found.media += 1
    return end >= this.#html.length ? end : endOfTag(this.#html, end)
  }

  #addText(text: string): void {
    const start = text.slice(0, MAX_TEXT)
    this.#measured += start.length
    const visible = start
      .replace(/&(?:nbsp|#160|zwnj|#8203);/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    const found = this.#found
    if (this.#openFrames > 0) {
      found.frame += visible.length
      return
    }
    found.own += visible.length
    if (found.start.length < MAX_START) found.start += `${visible.slice(0, MAX_START)} `
  }

  #addScript(source: string, length: number): void {
    this.#found.scriptBytes += length
    const type = /\stype\s*=\s*["']?([^"'\s>]*)/i.exec(source)?.[1]?.toLowerCase() ?? ''
    if (type === '' || type === 'module' || type.includes('javascript')) this.#found.scripts += 1
  }

  #addNoscript(inner: string): void {
    if (this.#found.noscript.length < MAX_NOSCRIPT) this.#found.noscript += inner.slice(0, MAX_NOTE)
    const start = inner.slice(0, MAX_NOSCRIPT)
    // Without an end tag all that follows is style, so that nothing is searched twice.
    const visible = start.replace(/<style[^]*?(?:<\/style>|$)|<[^<>]{0,2000}>/gi, ' ').replace(/\s+/g, ' ')
    this.#found.noscriptLength += visible.trim().length
  }

  #enter(tag: HtmlTag): void {
    const found = this.#found
    const source = sourceOf(this.#html, tag)
    if (isWaiting(source)) found.waiting += 1
    const isFrame = isFrameElement(tag.name, source)
    this.#openTags.set(tag.name, (this.#openTags.get(tag.name) ?? 0) + 1)
    this.#open.push({
      tag: tag.name,
      name: nameOf(tag.name, source),
      isFrame,
      contentFrom: tag.to,
      textBefore: found.own + found.frame,
      mediaBefore: found.media,
    })
    if (isFrame) this.#openFrames += 1
  }

  /** Closes the innermost open element of a name, and what is open in it. */
  #close(tag: string, to: number): void {
    if ((this.#openTags.get(tag) ?? 0) === 0) return
    const at = this.#open.findLastIndex((element) => element.tag === tag)
    for (const element of this.#open.splice(at)) {
      this.#openTags.set(element.tag, (this.#openTags.get(element.tag) ?? 0) - 1)
      if (element.isFrame) this.#openFrames -= 1
      if (this.#empty.length < MAX_EMPTY && element.name !== undefined && this.#isEmpty(element)) {
        this.#empty.push({ name: element.name, from: element.contentFrom, to })
      }
    }
  }

  #isEmpty({ name, textBefore, mediaBefore }: OpenElement): boolean {
    const { own, frame, media } = this.#found
    const most = name === 'main' ? MAIN_PLACEHOLDER_LENGTH : PLACEHOLDER_LENGTH
    return own + frame - textBefore <= most && media === mediaBefore
  }
}

/** Returns the offset behind a text that is looked for from an offset; undefined where there is none. */
function endBehind(html: string, text: string, from: number): number | undefined {
  const at = html.indexOf(text, from)
  return at < 0 ? undefined : at + text.length
}
