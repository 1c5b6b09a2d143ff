import type { ElementHandle, Frame, Page } from 'playwright'
import { TrawlError } from '../../errors.js'
import { isNavigation } from '../browser-page/browser-errors.js'
import type { IsolatedWorld } from '../browser-page/isolated-world.js'
import { pageFunction } from '../browser-page/page-function.js'

/** Frames that are read, and how deep in each other; the rest stays an empty element. */
const MAX_FRAMES = 20
const MAX_FRAME_DEPTH = 3
/** A frame that is smaller shows nothing to read: it counts visitors. CSS pixels. */
const MIN_FRAME_SIZE = 50
/** A frame that does not answer for so long is left out. Milliseconds. */
const FRAME_MS = 3_000
/**
 * For a frame that no document is known to have come into: the browser refuses its address (`file:`, `chrome:`), or its
 * server is silent, and it would never answer. One that a script writes into answers at once. Milliseconds.
 */
const EMPTY_FRAME_MS = 300

interface FrameHtml {
  readonly element: ElementHandle
  readonly html: string
}

interface ReadQuestion {
  readonly frames: readonly FrameHtml[]
  readonly maxLength: number
  /** Whether the document stands in another one: then only what is inside its body is given, with absolute URLs. */
  readonly isInner: boolean
  /** The URL that the HTML will be read at. */
  readonly url: string
}

/**
 * The document as HTML. Open shadow roots stand in place of their hosts' children, slots hold what is put into them,
 * and frames that were read are `<div data-original-tag="iframe">`. Undefined when it is longer than it may be.
 */
const serialize: (question: ReadQuestion) => string | undefined =
  pageFunction(`({ frames, maxLength, isInner, url }) => {
  const voids = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
  const raws = /^(?:style|script|xmp|iframe|noembed|noframes|plaintext|noscript)$/
  const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\\u00a0': '&nbsp;' }
  const escapeText = (text) => text.replace(/[&<>\\u00a0]/g, (sign) => escapes[sign])
  const escapeValue = (text) => text.replace(/[&"\\u00a0]/g, (sign) => escapes[sign])
  const doctype = document.doctype ? '<!DOCTYPE ' + document.doctype.name + (document.doctype.publicId ? ' PUBLIC "' + document.doctype.publicId + '"' + (document.doctype.systemId ? ' "' + document.doctype.systemId + '"' : '') : '') + '>' : ''
  const htmlOf = new Map(frames.map(({ element, html }) => [element, html]))
  // The name and the password that it was asked for with are not for who reads its links.
  const baseUrl = document.baseURI.replace(/^(\\w+:\\/\\/)[^/?#@]*@/, '$1')
  const parts = []
  let length = 0
  const add = (part) => {
    length += part.length
    if (length <= maxLength) parts.push(part)
  }
  const absolute = (value) => {
    try {
      return new URL(value, baseUrl).href
    } catch {
      return value
    }
  }
  const openTag = (element, tag, more) => {
    let text = '<' + tag + (more || '')
    for (const { name, value } of element.attributes) {
      if (name === 'srcdoc' && htmlOf.has(element)) continue
      const isUrl = isInner && /^(?:href|src|poster|action|data-src)$/.test(name) && value !== '' && !value.startsWith('#')
      text += ' ' + name + '="' + escapeValue(isUrl ? absolute(value) : value) + '"'
    }
    return text + '>'
  }
  // A stack of its own: a page nested deeper than the engine's would end it.
  const stack = []
  const push = (nodes) => {
    for (let at = nodes.length - 1; at >= 0; at--) stack.push(nodes[at])
  }
  const childrenOf = (element) => {
    if (element.shadowRoot) return [...element.shadowRoot.childNodes]
    if (element.localName === 'slot' && element.getRootNode() instanceof ShadowRoot) {
      const assigned = element.assignedNodes({ flatten: true })
      if (assigned.length > 0) return assigned
    }
    return [...(element.localName === 'template' && element.content ? element.content : element).childNodes]
  }
  const visit = (node) => {
    if (node.nodeType === 3) {
      const parent = node.parentNode && node.parentNode.localName
      return add(raws.test(parent || '') ? node.data : escapeText(node.data))
    }
    if (node.nodeType === 8) return add('<!--' + node.data + '-->')
    if (node.nodeType !== 1) return
    const tag = node.namespaceURI === 'http://www.w3.org/1999/xhtml' ? node.localName : node.tagName
    if (htmlOf.has(node)) {
      add('<div data-original-tag="iframe"' + openTag(node, '').slice(1) + htmlOf.get(node) + '</div>')
      return
    }
    add(openTag(node, tag))
    if (voids.test(tag)) return
    stack.push('</' + tag + '>')
    push(childrenOf(node))
  }
  const root = isInner ? document.body : document.documentElement
  if (!root) return ''
  const hasParts = frames.length > 0 || isInner || [...document.querySelectorAll('*')].some((element) => element.shadowRoot)
  let html
  if (hasParts) {
    push(isInner ? [...root.childNodes] : [root])
    while (stack.length > 0 && length <= maxLength) {
      const next = stack.pop()
      if (typeof next === 'string') add(next)
      else visit(next)
    }
    html = parts.join('')
  } else {
    // What the browser writes by itself is many times quicker.
    html = root.outerHTML
    length = html.length
  }
  if (length > maxLength) return undefined
  if (isInner) return html
  // Scripts may have given the document another address, which its links are relative to.
  const moved = baseUrl.split('#')[0] !== url.split('#')[0] && !document.querySelector('base[href]')
  const base = moved ? '<base href="' + escapeValue(baseUrl) + '">' : ''
  return doctype + (moved ? html.replace(/<head[^>]*>/, (head) => head + base) : html)
}`)

export interface ReadPageOptions {
  /** The URL that the page's document came from. */
  readonly url: string
  /** Characters, at most. */
  readonly maxLength: number
}

/**
 * A page of the browser as one HTML document.
 *
 * @throws TrawlError `SCRAPE_DECOMPRESSED_TOO_LARGE`
 */
export async function readPageHtml(
  page: Page,
  world: IsolatedWorld,
  { url, maxLength }: ReadPageOptions,
): Promise<string> {
  const budget = { frames: MAX_FRAMES }
  const whole = await readWhole()
  if (whole !== undefined) return whole
  throw new TrawlError('SCRAPE_DECOMPRESSED_TOO_LARGE', `The page's tree is longer than ${maxLength} characters`)

  async function readWhole(): Promise<string | undefined> {
    if (page.mainFrame().childFrames().length > 0) {
      try {
        return await readFrame(page.mainFrame(), 0)
      } catch (error) {
        if (page.isClosed() || isNavigation(error)) throw error
        // Elements can be named only in the page's own world, where it may have broken what that takes.
      }
    }
    return await world.call(serialize, { frames: [], maxLength, isInner: false, url })
  }

  async function readFrame(frame: Frame, depth: number): Promise<string | undefined> {
    const children = depth < MAX_FRAME_DEPTH ? frame.childFrames().slice(0, budget.frames) : []
    budget.frames -= children.length
    const read = await Promise.all(children.map(async (child) => await readInner(child, depth + 1)))
    const inner = read.filter((one) => one !== undefined)
    const question = { frames: inner, maxLength, isInner: depth > 0, url }
    return await frame.evaluate(serialize, question as never)
  }

  /** A frame may go away, or never have come, while it is read: then it stays what it was. */
  async function readInner(frame: Frame, depth: number): Promise<FrameHtml | undefined> {
    try {
      const element = await frame.frameElement()
      const box = await element.boundingBox()
      if (!box || box.width < MIN_FRAME_SIZE || box.height < MIN_FRAME_SIZE) return undefined
      const html = await withinMs(readFrame(frame, depth), frame.url() === '' ? EMPTY_FRAME_MS : FRAME_MS)
      return html === undefined || html.trim() === '' ? undefined : { element, html }
    } catch (error) {
      if (page.isClosed()) throw error
      return undefined
    }
  }
}

/** What a promise resolves to; undefined when it takes longer. */
async function withinMs<T>(promise: Promise<T>, maxMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), maxMs)))
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
