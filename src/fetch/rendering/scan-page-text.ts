/** What a scan of a page's HTML found, without building a tree. */
export interface PageText {
  /** Letters and digits and other signs that a reader would see outside of {@link frameLength}. */
  readonly ownLength: number
  /** The same in `nav`, `header`, `footer` and `aside`, and in notes on cookies. */
  readonly frameLength: number
  /** Pictures, films, fields and the like. */
  readonly media: number
  /** Scripts that a browser would run. */
  readonly scripts: number
  /** Bytes of what scripts carry inside the page, data for them included. */
  readonly scriptBytes: number
  /** Elements without text or media that scripts could fill, as `#id`, `tag` or `main`. At most 20. */
  readonly emptyElements: readonly string[]
  /** The same with where their content begins and ends in the page, decoded. */
  readonly emptyPlaces: readonly EmptyPlace[]
  /** What is written for those without scripts. */
  readonly noscript: string
  /** Signs of that which a reader without scripts would see, tags left out. */
  readonly noscriptLength: number
  /** The first of the page's own text. */
  readonly ownStart: string
  /** Elements that say that something is still to come: `aria-busy`, skeletons. */
  readonly waiting: number
}

/** An element without text or media. */
export interface EmptyPlace {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** More is not read: a page with so much before its first text is none that scripts fill. */
export const MAX_BYTES = 4 * 1024 * 1024
/** Tags, comments and texts that are looked at: a page with more of them before its first text is none that scripts fill either. */
const MAX_PIECES = 25_000
/** A text between two tags is measured so far, and all of them together. Characters. */
const MAX_TEXT = 100_000
const MAX_TEXTS = 500_000
const MAX_DEPTH = 200
const MAX_EMPTY = 20
/** What is for those without scripts is looked at so far: a note to them has been told from a page by then. Characters. */
const MAX_NOSCRIPT = 20_000
/** The first of a page's own text, for what it asks of its reader. Characters. */
const MAX_START = 400
/** A start tag is looked at so far. Characters. */
const MAX_TAG = 1_000
/** Text in an element that scripts fill is at most a word of patience, such as "Loading…". */
const PATIENCE_LENGTH = 40
/** A `main` that is one word long says so in few letters. */
const WORD_LENGTH = 12

const frames: ReadonlySet<string> = new Set(['nav', 'header', 'footer', 'aside'])
const rawElements = /^(?:script|style|noscript|template|textarea|title|iframe|xmp|noembed|svg|math|object)$/
const media = /^(?:img|picture|video|audio|canvas|input|select|button|embed)$/
/** Notes on cookies lie over a page, and say nothing of it. */
const cookieNote =
  /(?:^|[\s_-])(?:(?:cookie|gdpr|ccpa|consent)s?[_-]?(?:consent|banner|bar|notice|note|notification|popup|modal|dialog|overlay|message|law|layer|hint|info|box)|onetrust-|cybotcookiebot|usercentrics-root|didomi-|qc-cmp2-)/i
const namingAttribute = /\s(?:id|class)=(?:"([^">]*)|'([^'>]*)|([^\s"'>]+))/gi
const voids = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
const containers = /^(?:div|main|section|article|body|nav|header|footer|aside)$|-/

/** How a tag begins: a name that is longer is none of HTML. */
const tagHead = /<(\/?)([a-z][^\s/>]{0,78})/iy

interface Open {
  readonly tag: string
  readonly name: string | undefined
  readonly isFrame: boolean
  readonly contentFrom: number
  readonly textBefore: number
  readonly mediaBefore: number
}

/**
 * Scans a page in one pass, in time linear in its size.
 *
 * @param body UTF-8, or what is close enough for counting
 * @param enough own text after which the rest is not looked at
 */
export function readPageText(body: Uint8Array, enough = Infinity): PageText {
  const html = new TextDecoder().decode(body.subarray(0, MAX_BYTES))
  const open: Open[] = []
  /** How many elements of a name are open: what closes none is not looked for among them. */
  const openTags = new Map<string, number>()
  /** What ends an element whose content is no mark-up, by its name: made once, as a page may hold thousands. */
  const closings = new Map<string, RegExp>()
  const empty: EmptyPlace[] = []
  const found = {
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
  let inFrames = 0
  let pieces = 0
  let measured = 0

  const addText = (text: string): void => {
    const start = text.slice(0, MAX_TEXT)
    measured += start.length
    const visible = start
      .replace(/&(?:nbsp|#160|zwnj|#8203);/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    if (inFrames > 0) found.frame += visible.length
    else {
      found.own += visible.length
      if (found.start.length < MAX_START) found.start += `${visible.slice(0, MAX_START)} `
    }
  }
  const close = (tag: string, to: number): void => {
    if ((openTags.get(tag) ?? 0) === 0) return
    const at = open.findLastIndex((element) => element.tag === tag)
    for (const element of open.splice(at)) {
      openTags.set(element.tag, (openTags.get(element.tag) ?? 0) - 1)
      if (element.isFrame) inFrames -= 1
      const text = found.own + found.frame - element.textBefore
      const patience = element.name === 'main' ? WORD_LENGTH : PATIENCE_LENGTH
      if (element.name !== undefined && text <= patience && found.media === element.mediaBefore) {
        if (empty.length < MAX_EMPTY) empty.push({ name: element.name, from: element.contentFrom, to })
      }
    }
  }

  for (let at = 0; at < html.length && found.own < enough;) {
    pieces += 1
    if (pieces > MAX_PIECES || measured > MAX_TEXTS) break
    const from = html.indexOf('<', at)
    if (from !== at) addText(html.slice(at, from < 0 ? html.length : from))
    if (from < 0) break
    if (html.startsWith('<!--', from)) {
      const end = html.indexOf('-->', from + 4)
      if (end < 0) break
      at = end + 3
      continue
    }
    tagHead.lastIndex = from
    const head = tagHead.exec(html)
    if (!head) {
      const isMarkup = /^<[!?/]/.test(html.slice(from, from + 2))
      const end = isMarkup ? html.indexOf('>', from) : from
      if (end < 0) break
      at = end + 1
      continue
    }
    const tagEnd = endOfTag(html, from)
    const tag = (head[2] ?? '').toLowerCase()
    at = tagEnd
    if (head[1] === '/') close(tag, from)
    else if (rawElements.test(tag) && !isShadow(tag, html.slice(from, tagEnd))) {
      const closing = closings.get(tag) ?? new RegExp(`</${tag}[\\s/>]`, 'gi')
      closings.set(tag, closing)
      closing.lastIndex = tagEnd
      const end = closing.exec(html)?.index ?? html.length
      if (tag === 'script') readScript(html.slice(from, Math.min(tagEnd, from + MAX_TAG)), end - tagEnd)
      if (tag === 'noscript') {
        readNoscript(html.slice(tagEnd, end))
        // Its own mark-up is gone through as well.
        pieces += 2
      }
      if (tag === 'iframe' || tag === 'object') found.media += 1
      at = end >= html.length ? end : endOfTag(html, end)
    } else if (media.test(tag)) found.media += 1
    else if (containers.test(tag) && !voids.test(tag) && open.length < MAX_DEPTH) {
      const attributes = html.slice(from, Math.min(tagEnd, from + MAX_TAG))
      if (/\saria-busy=["']?true|\sclass=["'][^"']*(?:skeleton|shimmer|placeholder-glow)/i.test(attributes)) {
        found.waiting += 1
      }
      const name = nameOf(tag, attributes)
      const isFrame = frames.has(tag) || (tag !== 'body' && isCookieNote(attributes))
      openTags.set(tag, (openTags.get(tag) ?? 0) + 1)
      open.push({
        tag,
        name,
        isFrame,
        contentFrom: tagEnd,
        textBefore: found.own + found.frame,
        mediaBefore: found.media,
      })
      if (isFrame) inFrames += 1
    }
  }
  for (const { tag } of open.toReversed()) close(tag, html.length)

  function readNoscript(inner: string): void {
    if (found.noscript.length < MAX_NOSCRIPT) found.noscript += inner.slice(0, 2000)
    const start = inner.slice(0, MAX_NOSCRIPT)
    // Where its end is missing, all that follows is style: nothing is looked through twice.
    const visible = start.replace(/<style[^]*?(?:<\/style>|$)|<[^<>]{0,2000}>/gi, ' ').replace(/\s+/g, ' ')
    found.noscriptLength += visible.trim().length
  }
  function readScript(start: string, length: number): void {
    found.scriptBytes += length
    const type = /\stype\s*=\s*["']?([^"'\s>]*)/i.exec(start)?.[1]?.toLowerCase() ?? ''
    if (type === '' || type === 'module' || type.includes('javascript')) found.scripts += 1
  }
  return {
    ownLength: found.own,
    frameLength: found.frame,
    media: found.media,
    scripts: found.scripts,
    scriptBytes: found.scriptBytes,
    emptyElements: empty.map(({ name }) => name),
    emptyPlaces: empty,
    noscript: found.noscript,
    noscriptLength: found.noscriptLength,
    ownStart: found.start,
    waiting: found.waiting,
  }
}

/**
 * Whether one page has clearly more to read than the other: by its own text, and where that is much the same by all of it.
 * A browser takes notes on cookies away, and a page is not the poorer for it.
 */
export function hasMoreText(body: Uint8Array, than: Uint8Array): boolean {
  const [more, less] = [readPageText(body), readPageText(than)]
  if (isLonger(more.ownLength, less.ownLength)) return true
  if (isLonger(less.ownLength, more.ownLength)) return false
  return isLonger(more.ownLength + more.frameLength, less.ownLength + less.frameLength)
}

/** Whether a page with scripts shows nothing, or no more than a word of patience. */
export function isLoadingPlaceholder(html: string): boolean {
  const { ownLength, media: pictures, scripts } = readPageText(new TextEncoder().encode(html), PATIENCE_LENGTH + 1)
  return ownLength <= PATIENCE_LENGTH && pictures === 0 && scripts > 0
}

const isLonger = (longer: number, shorter: number): boolean => longer > shorter + 20 && longer > shorter * 1.05

/** Whether an element is, by its id or classes, a note on cookies. */
const isCookieNote = (attributes: string): boolean =>
  [...attributes.matchAll(namingAttribute)].some(([, double, single, bare]) =>
    cookieNote.test(double ?? single ?? bare ?? ''),
  )

/** What an element that scripts may fill is called: only one with an id, one of a component, and `main` have a name. */
function nameOf(tag: string, attributes: string): string | undefined {
  const id = /\sid\s*=\s*["']?([\w:-]+)/i.exec(attributes)?.[1]
  if (tag === 'main' || tag === 'article' || /\srole=["']?main/i.test(attributes)) return 'main'
  if (frames.has(tag) || tag === 'body') return undefined
  if (id !== undefined) return `#${id}`
  return tag.includes('-') ? tag : undefined
}

/** A tree that is shown in place of its host's children, as a browser reads it from HTML. @see WHATWG HTML, declarative shadow roots */
const isShadow = (tag: string, start: string): boolean => tag === 'template' && /\sshadowrootmode\s*=/i.test(start)

const [DOUBLE_QUOTE, SINGLE_QUOTE, EQUALS, GREATER] = [34, 39, 61, 62]

/** Behind the `>` that ends the tag that begins at an offset: one inside quotes does not. */
export function endOfTag(html: string, from: number): number {
  for (let at = from + 1; at < html.length; at++) {
    const sign = html.charCodeAt(at)
    if (sign === GREATER) return at + 1
    if ((sign !== DOUBLE_QUOTE && sign !== SINGLE_QUOTE) || html.charCodeAt(at - 1) !== EQUALS) continue
    const end = html.indexOf(sign === DOUBLE_QUOTE ? '"' : "'", at + 1)
    if (end < 0) return html.length
    at = end
  }
  return html.length
}
