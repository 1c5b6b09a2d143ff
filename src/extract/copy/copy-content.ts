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

/** A choice of content to copy. */
export interface ContentChoice {
  /** The kept parts of the page, in document order, none inside another. */
  readonly roots: readonly Element[]
  readonly isDropped: (node: ChildNode) => boolean
  /** Returns the elements that replace a `noscript`. */
  readonly readNoscript: (noscript: Element) => readonly Element[]
  /** Hidden elements that a control opens; they are copied as visible. */
  readonly disclosed: ReadonlySet<Element>
  readonly baseUrl: string
}

/**
 * Copies the kept parts to a tree of their own, with absolute URLs. The page's own tree stays unchanged, because
 * metadata, links and attributes are read from it.
 */
export function copyContent(choice: ContentChoice): Document {
  const document = new Document([])
  for (const root of choice.roots) {
    // Keeps the words of separate parts apart.
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
  // The body element itself is not content.
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
      // MathJax stores formulas in script elements of a type of its own.
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

/** Removes the attributes and styles that hide an element. */
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

const URL_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
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

/** Attributes that contain or change a URL. */
const URL_ATTRIBUTE = /^(?:href|xlink:href|src|data|poster|cite|action|formaction|background|ping|to|from|values)$/
/** Schemes that run a script, or that open local files or browser pages of the person who views the content. */
const UNSAFE_SCHEME = /^(?:javascript|vbscript|file|filesystem|view-source|jar|(?:chrome|devtools|edge)[a-z-]*):/i
/** Elements that open a document, which may run scripts if it is in a `data:` URL. An image cannot. */
const DOCUMENT_ELEMENT = /^(?:a|area|iframe|object|embed|form)$/

/** True for attributes that are unsafe in the content: event handlers, embedded documents, URLs with unsafe schemes. */
function isUnsafe(element: string, attribute: string, value: string): boolean {
  if (/^on[a-z]/.test(attribute) || attribute === 'srcdoc') return true
  if (!URL_ATTRIBUTE.test(attribute)) return false
  // Browsers ignore control characters and spaces in the scheme of a URL.
  // oxlint-disable-next-line no-control-regex -- these are the characters to remove
  const address = value.slice(0, MAX_SCHEME_TEXT).replace(/[\u0000-\u0020]+/g, '')
  return UNSAFE_SCHEME.test(address) || (DOCUMENT_ELEMENT.test(element) && /^data:/i.test(address))
}

/** Characters of a URL that are searched for its scheme. */
const MAX_SCHEME_TEXT = 1000

function copyOf(source: Element, baseUrl: string): Element {
  const { name } = source
  const attribs = { ...source.attribs }
  if (name === 'img') {
    const src = imageSource(source)
    if (src !== undefined) attribs['src'] = absolute(src, baseUrl)
  }
  for (const attribute of ownValue(URL_ATTRIBUTES, name) ?? []) {
    const value = attribs[attribute]
    if (value !== undefined) attribs[attribute] = absolute(value, baseUrl)
  }
  for (const [attribute, value] of Object.entries(attribs)) {
    if (isUnsafe(name, attribute.toLowerCase(), value)) delete attribs[attribute]
  }
  // Copied are only the `template` of a declarative shadow root and a `noscript` with content. Browsers with scripts
  // do not render these elements, so that they become a `div`.
  return new Element(name === 'template' || name === 'noscript' ? 'div' : name, attribs)
}

/** True for the address of a link that the content leaves out, as one that runs a script. */
export const isUnsafeLink = (address: string): boolean => isUnsafe('a', 'href', address)

const absolute = (address: string, baseUrl: string): string => resolveUrl(address, baseUrl)?.href ?? address
