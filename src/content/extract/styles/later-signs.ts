import { ELEMENT, HAS_CLASS, HAS_STYLE, type PageNodes } from '../../html/page-nodes.js'
import { type Element, isElement, textOf } from '../../html/tree.js'
import type { HidingRule } from './hiding-rules.js'
import type { PageStyles } from './page-styles.js'

/** Attributes and class names by which libraries bring elements into view, or switch between them. */
const MARKED =
  /(?:^|[\s_-])(?:aos|wow|animate[ds]?|animation|anim|fade|faded|fadein|reveal|slide|slider|slick|swiper|carousel|splide|flickity|scroll|appear|motion|gsap|framer|in-?view|invisible|sr|lazy|lazyload|preload|loading|tab|tabs|tabpanel|tab-?pane|accordion|collaps[ei]\w*|expand\w*|toggle\w*|panel|faq|tooltip|hover|overlay|caption|spoiler|answer)(?=$|[\s_-])/i
const MARKED_ATTRIBUTE =
  /^(?:data-(?:aos|w-id|anim|animate|animation|scroll|sr|reveal|framer|motion|gsap|wow|fx|effect|appear|inview|speed|delay|parallax|show|toggle|tab|collapse|x-)|x-(?:show|cloak|transition|if)|v-(?:show|cloak|if)|ng-(?:show|hide|cloak|if)|:class|wire:|hx-|_ngcontent|aria-(?:labelledby|expanded|live))/i

/** Names of libraries in the addresses and in the code of scripts. */
const LIBRARY =
  /framer|gsap|tweenmax|scrollreveal|scrollmagic|\baos\b|\bwow(?:\.min)?\.js|webflow|elementor|anime(?:\.min)?\.js|animejs|locomotive|velocity|waypoints|barba|swup|swiper|slick|_next\/|__next|_nuxt\/|gatsby|alpine|animat/i

const LIBRARY_CALL = /\b(?:gsap|TweenMax|ScrollReveal|AOS|WOW|anime|Swiper)\s*[.(]|framer|__NEXT_DATA__|__NUXT__/

/** Matches the addresses of scripts that count readers, and show nothing. */
const COUNTER =
  /^(?:https?:)?\/\/(?:www\.googletagmanager\.com\/gtag\/|(?:www|ssl)\.google-analytics\.com\/|plausible\.io\/js\/|static\.cloudflareinsights\.com\/|gc\.zgo\.at\/|scripts\.simpleanalyticscdn\.com\/|cdn\.usefathom\.com\/)/i

/** Matches code that loads further scripts. */
const LOADER =
  /\bimport\s*\(|\bfrom\s*["']|\bimport\s*["']|createElement\(\s*["']script|\.src\s*=|document\.write|importScripts|\brequire\s*\(/

/** Maximum characters of a page's scripts that are searched, and maximum names that are looked for. */
const MAX_SCRIPT = 300_000
const MAX_NAMES = 200

/** Minimum elements of one kind that are hidden in one way, for them to be taken for panels, slides or steps of an animation. */
const MIN_ALIKE = 3
/** Maximum searches for elements like one. */
const MAX_SEARCHES = 8

/** Maximum length of what is no part of a page for itself. Characters. */
const MAX_SENTENCES = 500
/** Elements that make up a part of a page, and how many of them do. */
const PARTS: ReadonlySet<string> = new Set(
  'img picture video form input select textarea button table ul ol h1 h2 h3 h4 h5 h6 iframe'.split(' '),
)
const MIN_PARTS = 2

/** Maximum elements within each other that are looked at. */
const MAX_WITHIN = 6

/** Signs that a hidden text is shown later, by a click or by a script: names, transitions, scripts that name it, many alike. */
export class LaterSigns {
  readonly #list: PageNodes
  readonly #styles: PageStyles | undefined
  #scripts: string | undefined
  #addresses = ''
  #hasUnread = false
  #names = 0
  readonly #alike = new Map<string, boolean>()
  #counts: Map<string, number> | undefined

  /** @param styles of the page. @default what moves is known already */
  constructor(list: PageNodes, styles?: PageStyles) {
    this.#list = list
    this.#styles = styles
  }

  /** As {@link has}, of an element or one within it that has all of its text. */
  hasAny(element: Element, { why }: { readonly why: string }): boolean {
    const rule = { properties: why === 'is transparent' ? ['opacity'] : [] }
    for (let at: Element | undefined = element, step = 0; at !== undefined && step < MAX_WITHIN; step += 1) {
      if (this.has(at, rule)) return true
      const children: Element[] = at.children.filter(isElement)
      at = children.length === 1 ? children[0] : undefined
    }
    return false
  }

  has(element: Element, rule: Pick<HidingRule, 'properties'>): boolean {
    return (
      isMarked(element) ||
      this.#moves(element, rule) ||
      this.#isNamedInScript(element) ||
      this.#hasAlike(element) ||
      this.#isPart(element) ||
      (rule.properties.includes('opacity') && this.#isAnimated(element))
    )
  }

  /** True for an element whose style changes with time. */
  #moves(element: Element, { properties }: Pick<HidingRule, 'properties'>): boolean {
    const styles = this.#styles
    if (styles === undefined) return false
    const value = (name: string): string => styles.valueOf(element, name) ?? ''
    const end = styles.cascade.endOf(styles.cascade.styleOf(element))
    // An animation that ends in hiding shows nothing.
    if (end !== undefined && properties.some((name) => end.has(name))) return false
    return (
      [
        value('transition'),
        value('transition-property'),
        value('animation'),
        value('animation-name'),
        value('will-change'),
      ].some((one) => one !== '' && one !== 'none' && one !== 'auto') ||
      (!properties.includes('transform') &&
        /translate|scale|rotate|skew|matrix/.test(value('transform').replace(/\w+\(\s*0\s*\)/g, '')))
    )
  }

  #isNamedInScript(element: Element): boolean {
    const { id = '' } = element.attribs
    const names = [id, ...(element.attribs['class'] ?? '').split(/\s+/)].filter(({ length }) => length > 2)
    const scripts = names.length === 0 ? '' : this.#readScripts()
    return names.some((name) => {
      this.#names += 1
      return this.#names < MAX_NAMES && isNamed(scripts, name)
    })
  }

  /** True for an opacity in the element's own style, as libraries of animations write it, on a page with one. */
  #isAnimated({ attribs }: Element): boolean {
    if (attribs['style']?.includes('opacity') !== true) return false
    const scripts = this.#readScripts()
    return LIBRARY.test(this.#addresses) || LIBRARY_CALL.test(scripts)
  }

  /** True for a page with a script that is not in it, and that may change what is shown. */
  hasUnreadScript(): boolean {
    const code = this.#readScripts()
    return this.#hasUnread || LOADER.test(code)
  }

  #readScripts(): string {
    if (this.#scripts !== undefined) return this.#scripts
    let code = ''
    for (const node of this.#list.nodes) {
      if (!isElement(node) || node.name !== 'script') continue
      const { src, type = '' } = node.attribs
      if (src !== undefined) {
        this.#addresses += ` ${src.slice(0, 300)}`
        this.#hasUnread ||= !COUNTER.test(src) && !/json|template/i.test(type)
      } else if (!/json/i.test(type) && code.length < MAX_SCRIPT) code += textOf(node).slice(0, MAX_SCRIPT)
    }
    this.#scripts = code
    return code
  }

  /**
   * True for what is more than a few sentences: a panel, a list, a form. Pages hide whole parts until their scripts have filled or
   * arranged them, and no other sign says so.
   */
  #isPart(element: Element): boolean {
    const { nodes, ends, kinds } = this.#list
    const from = this.#list.indexOf(element)
    const end = ends[from] ?? 0
    let length = 0
    let parts = 0
    for (let at = from + 1; at < end && length <= MAX_SENTENCES && parts < MIN_PARTS; at += 1) {
      length += this.#list.lengths[at] ?? 0
      if (((kinds[at] ?? 0) & ELEMENT) === 0) continue
      const node = nodes[at]
      if (node !== undefined && isElement(node) && PARTS.has(node.name)) parts += 1
    }
    return length > MAX_SENTENCES || parts >= MIN_PARTS
  }

  /** True if elements of the same name, class and style are on the page several times. */
  #hasAlike(element: Element): boolean {
    const mark = markOf(element)
    if (mark === '') return false
    let isAlike = this.#alike.get(mark)
    if (isAlike === undefined) {
      // To count all marks takes the time of several searches, of which a page needs one or two.
      isAlike =
        this.#alike.size < MAX_SEARCHES ? this.#isAmongAlike(element) : (this.#countMarks().get(mark) ?? 0) >= MIN_ALIKE
      this.#alike.set(mark, isAlike)
    }
    return isAlike
  }

  #isAmongAlike({ name, attribs: { class: classes = '', style = '' } }: Element): boolean {
    const { nodes, kinds } = this.#list
    let count = 0
    for (let at = 0; at < nodes.length && count < MIN_ALIKE; at += 1) {
      const node = ((kinds[at] ?? 0) & (HAS_CLASS | HAS_STYLE)) === 0 ? undefined : nodes[at]
      if (node === undefined || !isElement(node) || node.name !== name) continue
      if ((node.attribs['class'] ?? '') === classes && (node.attribs['style'] ?? '') === style) count += 1
    }
    return count >= MIN_ALIKE
  }

  #countMarks(): ReadonlyMap<string, number> {
    if (this.#counts !== undefined) return this.#counts
    const counts = (this.#counts = new Map<string, number>())
    for (const node of this.#list.nodes) {
      const mark = isElement(node) ? markOf(node) : ''
      if (mark !== '') counts.set(mark, (counts.get(mark) ?? 0) + 1)
    }
    return counts
  }
}

const markOf = ({ name, attribs }: Element): string =>
  attribs['class'] === undefined && attribs['style'] === undefined
    ? ''
    : `${name} ${attribs['class'] ?? ''} ${attribs['style'] ?? ''}`

function isMarked({ attribs }: Element): boolean {
  if (MARKED.test(`${attribs['id'] ?? ''} ${attribs['class'] ?? ''}`)) return true
  for (const name in attribs) if (MARKED_ATTRIBUTE.test(name)) return true
  return false
}

/** True if a script has a name as a selector or as a string. */
function isNamed(scripts: string, name: string): boolean {
  for (let at = scripts.indexOf(name); at !== -1; at = scripts.indexOf(name, at + name.length)) {
    if (
      /[.#'"`\s]/.test(scripts.charAt(at - 1)) &&
      !/[\w-]/.test(scripts.charAt(at + name.length)) &&
      /[.#'"`]/.test(scripts.slice(Math.max(0, at - 40), at))
    )
      return true
  }
  return false
}
