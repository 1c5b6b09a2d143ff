import {
  type ChildNode,
  Document,
  Element,
  Text,
  append,
  isElement,
  isText,
  textOf,
  walk,
  type ParentNode,
} from '../../html/tree.js'
import { resolveUrl } from '../../url.js'
import { imageSource } from './image-source.js'
import { ownValue } from '../../collections/own-value.js'

/** What is to be copied, and how. */
export interface ContentChoice {
  /** The parts of the page that are kept, in document order, none inside another. */
  readonly roots: readonly Element[]
  readonly isDropped: (node: ChildNode) => boolean
  /** What takes the place of a `noscript`. */
  readonly readNoscript: (noscript: Element) => readonly Element[]
  /** Hidden elements that a control opens: they are copied as open. */
  readonly disclosed: ReadonlySet<Element>
  readonly baseUrl: string
}

/**
 * The kept parts as a tree of their own, with absolute addresses. The page's own tree is left as it was: metadata, links
 * and attributes are read from it.
 */
export function copyContent(choice: ContentChoice): Document {
  const document = new Document([])
  for (const root of choice.roots) {
    // Parts that stood apart must not run together.
    if (document.children.length > 0) append(document, new Text('\n'))
    copyElement(root, document, choice)
  }
  return document
}

function copyElement(root: Element, into: ParentNode, choice: ContentChoice): void {
  const copies: { readonly source: Element; readonly copy: Element }[] = []
  const open = (source: Element): void => {
    const copy = copyOf(source, choice.baseUrl)
    if (choice.disclosed.has(source)) disclose(copy)
    append(copies.at(-1)?.copy ?? into, copy)
    copies.push({ source, copy })
  }
  // The page's body is no part of the content, only what is in it.
  if (root.name !== 'body') open(root)
  walk(
    root,
    (node) => {
      if (isText(node) && !choice.isDropped(node)) append(copies.at(-1)?.copy ?? into, new Text(node.data))
      if (!isElement(node)) return false
      if (node.name === 'noscript' && choice.isDropped(node)) {
        for (const image of choice.readNoscript(node))
          if (!choice.isDropped(image)) append(copies.at(-1)?.copy ?? into, copyOf(image, choice.baseUrl))
        return false
      }
      // MathJax keeps formulas in scripts of their own type, which are no scripts.
      if (node.name === 'script' && /^math\/(?:tex|latex)/i.test(node.attribs['type'] ?? '')) {
        append(copies.at(-1)?.copy ?? into, formulaOf(node))
        return false
      }
      if (choice.isDropped(node)) return false
      open(node)
      return true
    },
    (element) => {
      if (copies.at(-1)?.source === element) copies.pop()
    },
  )
}

/** Takes away what hides an element, for whoever reads the content by its mark-up. */
function disclose({ attribs }: Element): void {
  delete attribs['hidden']
  if (attribs['style'] === undefined) return
  attribs['style'] = attribs['style'].replace(
    /(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important\s*)?;?/gi,
    '',
  )
}

const formulaOf = (script: Element): Element =>
  new Element('math', {
    alttext: textOf(script),
    ...(/mode\s*=\s*display/i.test(script.attribs['type'] ?? '') && { display: 'block' }),
  })

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  area: ['href'],
  video: ['src', 'poster'],
  audio: ['src'],
  source: ['src'],
  iframe: ['src'],
  embed: ['src'],
  object: ['data'],
  blockquote: ['cite'],
}

/** Attributes that hold an address, or change one. */
const LEADS = /^(?:href|xlink:href|src|data|poster|cite|action|formaction|background|ping|to|from|values)$/
/** Addresses that run a script, or lead to the machine or the browser of whoever opens the content. */
const UNSAFE = /^(?:javascript|vbscript|file|filesystem|view-source|jar|(?:chrome|devtools|edge)[a-z-]*):/i
/** What opens a document: one that is its own address may run a script. A picture cannot. */
const SHOWS_DOCUMENTS = /^(?:a|area|iframe|object|embed|form)$/

/** Whether no reader of the content should be given an attribute: event handlers, documents inside it, unsafe addresses. */
function isUnsafe(element: string, attribute: string, value: string): boolean {
  if (/^on[a-z]/.test(attribute) || attribute === 'srcdoc') return true
  if (!LEADS.test(attribute)) return false
  // As browsers read an address: signs below the blank do not count.
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  const address = value.slice(0, MAX_LEAD).replace(/[\u0000-\u0020]+/g, '')
  return UNSAFE.test(address) || (SHOWS_DOCUMENTS.test(element) && /^data:/i.test(address))
}

/** The scheme stands at the beginning. Characters. */
const MAX_LEAD = 1000

function copyOf(source: Element, baseUrl: string): Element {
  const { name } = source
  const attribs = { ...source.attribs }
  if (name === 'img') {
    const src = imageSource(source)
    if (src !== undefined) attribs['src'] = absolute(src, baseUrl)
  }
  for (const attribute of ownValue(ADDRESSES, name) ?? []) {
    const value = attribs[attribute]
    if (value !== undefined) attribs[attribute] = absolute(value, baseUrl)
  }
  for (const [attribute, value] of Object.entries(attribs)) {
    if (isUnsafe(name, attribute.toLowerCase(), value)) delete attribs[attribute]
  }
  // A shadow root in the mark-up, or a page for readers without scripts: under their own names no reader would show them.
  return new Element(name === 'template' || name === 'noscript' ? 'div' : name, attribs)
}

const absolute = (address: string, baseUrl: string): string => resolveUrl(address, baseUrl)?.href ?? address
