/** The head of a tag. No name of HTML is longer. */
const tagHead = /<(\/?)([a-z][^\s/>]{0,78})/iy
/** A start tag is read so far. Characters. */
const MAX_TAG = 1_000

/** Elements of a page's frame, whose text is not the page's own. */
const frames: ReadonlySet<string> = new Set(['nav', 'header', 'footer', 'aside'])
/** Ids and classes of notes on cookies, which lie over a page and say nothing about it. */
const cookieNote =
  /(?:^|[\s_-])(?:(?:cookie|gdpr|ccpa|consent)s?[_-]?(?:consent|banner|bar|notice|note|notification|popup|modal|dialog|overlay|message|law|layer|hint|info|box)|onetrust-|cybotcookiebot|usercentrics-root|didomi-|qc-cmp2-)/i
const namingAttribute = /\s(?:id|class)=(?:"([^">]*)|'([^'>]*)|([^\s"'>]+))/gi

/** A tag of HTML source. */
export interface HtmlTag {
  /** Lower case. */
  readonly name: string
  readonly isEnd: boolean
  /** The offset of its `<`. */
  readonly from: number
  /** The offset behind its `>`. */
  readonly to: number
}

/** Reads the tag that begins at an offset; undefined where none begins. */
export function readTag(html: string, from: number): HtmlTag | undefined {
  tagHead.lastIndex = from
  const head = tagHead.exec(html)
  return head
    ? { name: (head[2] ?? '').toLowerCase(), isEnd: head[1] === '/', from, to: endOfTag(html, from) }
    : undefined
}

/** Returns the source of a tag, cut to 1,000 characters. */
export const sourceOf = (html: string, { from, to }: HtmlTag): string => html.slice(from, Math.min(to, from + MAX_TAG))

const [DOUBLE_QUOTE, SINGLE_QUOTE, EQUALS, GREATER] = [34, 39, 61, 62]

/** Returns the offset behind the `>` that ends the tag at an offset. A `>` inside quotes does not end it. */
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

/** Tells whether an element belongs to the frame of a page, or is a note on cookies. */
export const isFrameElement = (tag: string, source: string): boolean =>
  frames.has(tag) || (tag !== 'body' && isCookieNote(source))

const isCookieNote = (source: string): boolean =>
  [...source.matchAll(namingAttribute)].some(([, double, single, bare]) =>
    cookieNote.test(double ?? single ?? bare ?? ''),
  )

/** Returns the name of an element that scripts may fill: `main`, its id, or the tag of a component; undefined for others. */
export function nameOf(tag: string, source: string): string | undefined {
  const id = /\sid\s*=\s*["']?([\w:-]+)/i.exec(source)?.[1]
  if (tag === 'main' || tag === 'article' || /\srole=["']?main/i.test(source)) return 'main'
  if (frames.has(tag) || tag === 'body') return undefined
  if (id !== undefined) return `#${id}`
  return tag.includes('-') ? tag : undefined
}

/** Tells whether an element states that its content is still to come: `aria-busy`, or the class of a skeleton. */
export const isWaiting = (source: string): boolean =>
  /\saria-busy=["']?true|\sclass=["'][^"']*(?:skeleton|shimmer|placeholder-glow)/i.test(source)

/**
 * Tells whether a template is a declarative shadow root, which is shown in place of its host's children.
 *
 * @see https://html.spec.whatwg.org/multipage/scripting.html#attr-template-shadowrootmode
 */
export const isShadowRoot = (tag: string, source: string): boolean =>
  tag === 'template' && /\sshadowrootmode\s*=/i.test(source)

/** Elements that frameworks render a page into, as the templates of the frameworks name them. */
const mounts =
  /^(?:#(?:root|app|__next|__nuxt|___gatsby|svelte|sapper|q-app|react-root|app-root|app-mount|vue-app|ember-app|main-app|mount|application)|app-root|app-main|ion-app)$/i

/** Tells whether an element, named as `#id` or `tag`, is the mount point of a framework. */
export const isMountPoint = (name: string): boolean => mounts.test(name)
