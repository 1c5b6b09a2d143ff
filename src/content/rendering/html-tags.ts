/** Matches the start of a tag, up to its name. No name in HTML is longer than 79 characters. */
const tagHead = /<\/?[a-z][^\s/>]{0,78}/iy
const MAX_NAME = 79
/** Length of the start of a tag in which attributes are read. Characters. */
export const MAX_TAG = 1_000

/** Elements of navigation and boilerplate, whose text is not the page's own. */
const boilerplateTags: ReadonlySet<string> = new Set(['nav', 'header', 'footer', 'aside'])
/** Matches ids and classes of cookie banners, whose text is not the page's own. */
const cookieBanner =
  /(?:^|[\s_-])(?:(?:cookie|gdpr|ccpa|consent)s?[_-]?(?:consent|banner|bar|notice|note|notification|popup|modal|dialog|overlay|message|law|layer|hint|info|box)|onetrust-|cybotcookiebot|usercentrics-root|didomi-|qc-cmp2-)/i
/** Matches every text that {@link cookieBanner} can match. Few tags have one. */
const cookieWord = /cookie|gdpr|ccpa|consent|onetrust-|usercentrics-root|didomi-|qc-cmp2-/i
const namingAttribute = /\s(?:id|class)=(?:"([^">]*)|'([^'>]*)|([^\s"'>]+))/gi

/**
 * Returns the offset after the name of the tag that begins at an offset; undefined if none does.
 *
 * @param from the offset of a `<`
 */
export function endOfName(html: string, from: number): number | undefined {
  const start = html.charCodeAt(from + 1) === SLASH ? from + 2 : from + 1
  const first = html.charCodeAt(start) | LOWER_CASE
  if (!(first >= LETTER_A && first <= LETTER_Z)) return undefined
  // A match of a pattern for each tag of a page would take longer.
  const last = Math.min(start + MAX_NAME, html.length)
  for (let at = start + 1; at < last; at += 1) {
    const code = html.charCodeAt(at)
    if (code === GREATER || code === SLASH || code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN)) return at
    // Some characters beyond ASCII are white space.
    if (code > LAST_ASCII) return matchName(html, from)
  }
  return last
}

function matchName(html: string, from: number): number | undefined {
  tagHead.lastIndex = from
  return tagHead.test(html) ? tagHead.lastIndex : undefined
}

/** The bit that makes an upper-case letter of ASCII lower-case. */
const LOWER_CASE = 32
const [LETTER_A, LETTER_Z, TAB, CARRIAGE_RETURN, SPACE, LAST_ASCII] = [97, 122, 9, 13, 32, 127]

const [DOUBLE_QUOTE, SINGLE_QUOTE, SLASH, EQUALS, GREATER] = [34, 39, 47, 61, 62]

/** Returns the offset after the `>` that ends the tag at an offset. A `>` inside quotes does not end it. */
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

/** Tests for an element of navigation or boilerplate, or a cookie banner. */
export const isBoilerplateElement = (tag: string, source: string): boolean =>
  boilerplateTags.has(tag) || (tag !== 'body' && isCookieBanner(source))

const isCookieBanner = (source: string): boolean =>
  cookieWord.test(source) &&
  [...source.matchAll(namingAttribute)].some(([, double, single, bare]) =>
    cookieBanner.test(double ?? single ?? bare ?? ''),
  )

/**
 * Returns a name for an element that scripts may fill: `main`, `#id`, or the tag of a custom element; undefined for
 * other elements.
 */
export function fillableName(tag: string, source: string): string | undefined {
  const id = /\sid\s*=\s*["']?([\w:-]+)/i.exec(source)?.[1]
  if (tag === 'main' || tag === 'article' || /\srole=["']?main/i.test(source)) return 'main'
  if (boilerplateTags.has(tag) || tag === 'body') return undefined
  if (id !== undefined) return `#${id}`
  return tag.includes('-') ? tag : undefined
}

/** Tests for an element that states that its content is still loading: `aria-busy`, or the class of a skeleton. */
export const isLoadingElement = (source: string): boolean =>
  /\saria-busy=["']?true|\sclass=["'][^"']*(?:skeleton|shimmer|placeholder-glow)/i.test(source)

/** Tests for an image, a field or a similar element that is to see: no hidden field, and no pixel that counts visitors. */
export const isShown = (source: string): boolean =>
  !/\s(?:type\s*=\s*["']?hidden|hidden(?=[\s/>=]))|\sstyle\s*=\s*["'][^"']{0,200}display\s*:\s*none/i.test(source) &&
  !(/\swidth\s*=\s*["']?[01](?![\d.%])/i.test(source) && /\sheight\s*=\s*["']?[01](?![\d.%])/i.test(source))

/**
 * Tests for a declarative shadow root, whose content is shown in place of its host's children.
 *
 * @see https://html.spec.whatwg.org/multipage/scripting.html#attr-template-shadowrootmode
 */
export const isShadowRoot = (tag: string, source: string): boolean =>
  tag === 'template' && /\sshadowrootmode\s*=/i.test(source)

const foreignTags: ReadonlySet<string> = new Set(['svg', 'math'])
const emptyInXhtml: ReadonlySet<string> = new Set(['script', 'style', 'title', 'textarea'])
/** Length of the end of a tag in which the slash is distinguished from one of an unquoted value. Characters. */
const TAG_END = 200

/** Tests for a tag with `/>` that is an element without contents: in SVG and MathML, or in XHTML. */
export function isEmptyElement(tag: string, source: string, isXhtml: boolean): boolean {
  if (!(foreignTags.has(tag) || (isXhtml && emptyInXhtml.has(tag))) || !source.endsWith('/>')) return false
  const last =
    source
      .slice(-TAG_END)
      .split(/["'\s]/)
      .at(-1) ?? ''
  return !last.includes('=')
}

/** Length of the start of a page in which it declares to be XHTML. Characters. */
export const MAX_DECLARATION = 1_000

/** Tests for a page that is written as XML. @param start its first {@link MAX_DECLARATION} characters */
export const isXhtml = (start: string): boolean => start.includes('http://www.w3.org/1999/xhtml')

/** Names of the elements into which frameworks render a page, from the frameworks' project templates. */
const mountPoints =
  /^(?:#(?:root|app|__next|__nuxt|___gatsby|svelte|sapper|q-app|react-root|app-root|app-mount|vue-app|ember-app|main-app|mount|application)|app-root|app-main|ion-app)$/i

/** Tests for the mount point of a framework. @param name `#id` or a tag */
export const isMountPoint = (name: string): boolean => mountPoints.test(name)
