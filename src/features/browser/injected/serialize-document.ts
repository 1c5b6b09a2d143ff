import { builtInsOf, findBody, findRoot, pageDocument } from './built-ins-of.js'
import { withCollected } from './show-collected.js'
import { repairMojibake } from './repair-mojibake.js'
import type { HtmlPiece, LongHtml, PageFunctions, SerializeQuestion } from './page-functions.js'

const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
/** Elements whose text HTML does not escape. */
const rawTextElements = /^(?:style|script|xmp|iframe|noembed|noframes|plaintext|noscript)$/
/** Written out: a page's script may have a global variable `Node`. */
const ELEMENT_NODE = 1
const TEXT_NODE = 3
const COMMENT_NODE = 8
const urlAttributes = /^(?:href|src|poster|action|data-src)$/

const escapeText = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/\u00a0/g, '&nbsp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
const escapeValue = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/\u00a0/g, '&nbsp;')
    .replace(/"/g, '&quot;')

/**
 * Returns the document as HTML. Open shadow roots stand in place of their hosts' children, slots hold the nodes assigned
 * to them, and frames that were read are `<div data-original-tag="iframe">` around their marks. Undefined when it is longer
 * than `maxLength`.
 */
export const serializeDocument: PageFunctions['serializeDocument'] = (question) => {
  const html = printDocument(question)
  return isLong(html, question) ? { isLong: true } : html
}

/** HTML that {@link readKeptHtml} has not read to its end. Only the isolated world can reach its own global object. */
const world = window as { keptHtml?: unknown }

/**
 * As {@link serializeDocument}, with the rows and panels that were collected; keeps HTML that is too long for one
 * message. For the isolated world.
 *
 * @param frames the elements that `marks` are for
 */
export const serializeAndKeep: PageFunctions['serializeAndKeep'] = (
  question,
  ...frames
): string | LongHtml | undefined => {
  // In one turn of the event loop: the page's scripts may remove rows that are not theirs.
  const marks = new Map(frames.map((element, at) => [element, question.marks[at] ?? '']))
  const html = withCollected(() => printDocument(question, marks))
  if (!isLong(html, question)) return html
  world.keptHtml = html
  return { isLong: true }
}

/** Reads a piece of the HTML that {@link serializeAndKeep} kept, and releases all of it with the last piece. */
export const readKeptHtml: PageFunctions['readKeptHtml'] = (piece) => {
  const { keptHtml } = world
  // After a navigation it is nothing, or an element of that name.
  if (typeof keptHtml !== 'string') throw new Error('The page navigated while it was read')
  const text = cutPiece(keptHtml, piece)
  if (text.length < piece.maxLength - 1) world.keptHtml = undefined
  return text
}

/** The texts for the contents of frames, by their elements. */
type Marks = ReadonlyMap<unknown, string>

const isLong = (html: string | undefined, { maxWhole }: SerializeQuestion): html is string =>
  html !== undefined && html.length > maxWhole

function cutPiece(html: string, { from, maxLength }: HtmlPiece): string {
  const to = from + maxLength
  const endsInPair = to < html.length && /[\ud800-\udbff]/.test(html.charAt(to - 1))
  return html.slice(from, endsInPair ? to - 1 : to)
}

function printDocument(question: SerializeQuestion, markOf: Marks = new Map()): string | undefined {
  const { maxLength, isInner, url, isCharsetKnown } = question
  // Credentials in the URL are not for the readers of the page's links.
  const baseUrl = pageDocument.baseURI.replace(/^(\w+:\/\/)[^/?#@]*@/, '$1')
  // A frame may have failed to load since it was found: the browser's page about that is no content.
  if (isInner && pageDocument.URL.startsWith('chrome-error:')) return undefined
  const root = isInner ? findBody() : findRoot()
  if (!root) return ''
  const hasParts =
    markOf.size > 0 ||
    isInner ||
    [...pageDocument.querySelectorAll('*')].some((element) => builtInsOf(element).shadowRoot)
  // The browser's own serialization is many times faster.
  const printed = hasParts
    ? serialize(isInner ? [...builtInsOf(root).childNodes] : [root], question, baseUrl, markOf)
    : root.outerHTML
  if (printed === undefined || printed.length > maxLength) return undefined
  const html = isCharsetKnown || !isUndeclared1252() ? printed : repairMojibake(printed)
  if (isInner) return html
  // Scripts may have changed the document's URL, which its links are relative to.
  const isMoved = baseUrl.split('#')[0] !== url.split('#')[0] && !pageDocument.querySelector('base[href]')
  const base = isMoved ? `<base href="${escapeValue(baseUrl)}">` : ''
  return printDoctype() + (isMoved ? html.replace(/<head[^>]*>/, (head) => head + base) : html)
}

/** Tells whether the browser took windows-1252 as the encoding without a declaration in the document. */
const isUndeclared1252 = (): boolean =>
  pageDocument.characterSet === 'windows-1252' &&
  !pageDocument.querySelector('meta[charset], meta[http-equiv="content-type" i]')

function printDoctype(): string {
  const { doctype } = pageDocument
  if (!doctype) return ''
  const { name, publicId, systemId } = doctype
  const identifiers = publicId ? ` PUBLIC "${publicId}"${systemId ? ` "${systemId}"` : ''}` : ''
  return `<!DOCTYPE ${name}${identifiers}>`
}

/** Serializes nodes; undefined when they come to more than `maxLength` characters. */
function serialize(
  nodes: readonly Node[],
  { maxLength, isInner }: SerializeQuestion,
  baseUrl: string,
  markOf: Marks,
): string | undefined {
  const parts: string[] = []
  let length = 0
  const add = (part: string): void => {
    length += part.length
    if (!isFull()) parts.push(part)
  }
  const isFull = (): boolean => length > maxLength
  // An explicit stack: a deeply nested page would overflow the engine's.
  const stack: (Node | string)[] = []
  const push = (children: readonly Node[]): void => {
    for (const child of [...children].reverse()) stack.push(child)
  }
  const printAttributes = (element: Element): string => {
    let text = ''
    for (const { name, value } of builtInsOf(element).attributes) {
      if (name === 'srcdoc' && markOf.has(element)) continue
      const isUrl = isInner && urlAttributes.test(name) && value !== '' && !value.startsWith('#')
      text += ` ${name}="${escapeValue(isUrl ? toAbsolute(value, baseUrl) : value)}"`
    }
    return text
  }
  const addElement = (element: Element): void => {
    const { namespaceURI, localName, tagName } = builtInsOf(element)
    const tag = namespaceURI === 'http://www.w3.org/1999/xhtml' ? localName : tagName
    const mark = markOf.get(element)
    if (mark !== undefined) {
      add(`<div data-original-tag="iframe"${printAttributes(element)}>${mark}</div>`)
      return
    }
    add(`<${tag}${printAttributes(element)}>`)
    if (voidElements.test(tag)) return
    stack.push(`</${tag}>`)
    push(childrenOf(element))
  }
  push(nodes)
  while (stack.length > 0 && !isFull()) {
    const next = stack.pop()
    if (next === undefined) break
    if (typeof next === 'string') add(next)
    else if (isElement(next)) addElement(next)
    else add(printCharacters(next))
  }
  return isFull() ? undefined : parts.join('')
}

const isElement = (node: Node): node is Element => builtInsOf(node).nodeType === ELEMENT_NODE

function printCharacters(node: Node): string {
  const text = node.nodeValue ?? ''
  if (node.nodeType === COMMENT_NODE) return `<!--${text}-->`
  if (node.nodeType !== TEXT_NODE) return ''
  const parent = node.parentNode as Element | null
  return parent && rawTextElements.test(builtInsOf(parent).localName) ? text : escapeText(text)
}

/** Returns the children that are rendered: those of the shadow root, of the slot, of the template. */
function childrenOf(element: Element): Node[] {
  const { shadowRoot, localName } = builtInsOf(element)
  if (shadowRoot) return [...shadowRoot.childNodes]
  if (localName === 'slot' && element.getRootNode() instanceof ShadowRoot) {
    const assigned = (element as HTMLSlotElement).assignedNodes({ flatten: true })
    if (assigned.length > 0) return assigned
  }
  const { content } = element as Partial<HTMLTemplateElement>
  return [...builtInsOf((localName === 'template' && content) || element).childNodes]
}

function toAbsolute(url: string, baseUrl: string): string {
  try {
    return new URL(url, baseUrl).href
  } catch {
    return url
  }
}
