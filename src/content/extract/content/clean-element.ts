import type { AddressWriter } from '../../html/link-resolver.js'
import { readSrcset, writeSrcset } from '../../html/srcset.js'
import { type Element, isImage } from '../../html/tree.js'
import { imageSource } from '../../html/image-source.js'

/**
 * Changes an element of the page to one of the content: makes its URLs absolute, and removes unsafe attributes.
 *
 * @param image the image on the page that `element` is a copy of. @default the element itself
 */
export function cleanElement(element: Element, addresses: AddressWriter, image = element): void {
  const { name, attribs } = element
  if (isImage(element)) {
    const source = imageSource(image)
    if (source !== undefined) attribs['src'] = addresses.write(source)
  }
  if (hasOtherAttributes(element)) cleanAttributes(element, addresses)
  // Only the `template` of a declarative shadow root and a `noscript` with content are kept. Browsers with scripts do
  // not render these elements, so that they become a `div`.
  if (name === 'template' || name === 'noscript') element.name = 'div'
}

/** True for an element with attributes that may have to be changed. Hardly any but links and images have some. */
function hasOtherAttributes({ attribs }: Element): boolean {
  for (const attribute in attribs) if (!SAFE_ATTRIBUTES.has(attribute)) return true
  return false
}

function cleanAttributes({ name, attribs }: Element, addresses: AddressWriter): void {
  for (const attribute of URL_ATTRIBUTES.get(name) ?? NONE) {
    const value = attribs[attribute]
    if (value !== undefined) attribs[attribute] = addresses.write(value)
  }
  if (attribs['srcset'] !== undefined) {
    attribs['srcset'] = writeSrcset(
      readSrcset(attribs['srcset']).map((one) => ({ ...one, url: addresses.write(one.url) })),
    )
  }
  for (const attribute in attribs) {
    if (!SAFE_ATTRIBUTES.has(attribute) && isUnsafe(name, attribute.toLowerCase(), attribs[attribute] ?? ''))
      delete attribs[attribute]
  }
}

/** Removes the attributes and styles that hide an element. */
export function disclose({ attribs }: Element): void {
  delete attribs['hidden']
  if (attribs['style'] === undefined) return
  attribs['style'] = attribs['style'].replace(
    /(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important\s*)?;?/gi,
    '',
  )
}

const NONE: readonly string[] = []

const URL_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    a: ['href'],
    area: ['href'],
    video: ['src', 'poster', 'data-src'],
    audio: ['src', 'data-src'],
    source: ['src', 'data-src'],
    iframe: ['src', 'data-src'],
    embed: ['src'],
    object: ['data'],
    blockquote: ['cite'],
  }),
)

/** The attributes that elements have most. They neither contain a URL nor run a script. */
const SAFE_ATTRIBUTES: ReadonlySet<string> = new Set('class id title role style name rel alt width height'.split(' '))

/** Attributes that contain or change a URL. */
const MAY_BE_URL: ReadonlySet<string> = new Set(
  'href xlink:href src data poster cite action formaction background ping to from values'.split(' '),
)
/** Schemes that run a script, or that open local files or browser pages of the person who views the content. */
const UNSAFE_SCHEME = /^(?:javascript|vbscript|file|filesystem|view-source|jar|(?:chrome|devtools|edge)[a-z-]*):/i
/** Elements that open a document, which may run scripts if it is in a `data:` URL. An image cannot. */
const DOCUMENT_ELEMENTS: ReadonlySet<string> = new Set(['a', 'area', 'iframe', 'object', 'embed', 'form'])

/** True for attributes that are unsafe in the content: event handlers, embedded documents, URLs with unsafe schemes. */
function isUnsafe(element: string, attribute: string, value: string): boolean {
  if (EVENT_HANDLER.test(attribute) || attribute === 'srcdoc') return true
  if (!MAY_BE_URL.has(attribute) || value.startsWith('https://') || value.startsWith('http://')) return false
  // Browsers ignore control characters and spaces in the scheme of a URL.
  // oxlint-disable-next-line no-control-regex -- these are the characters to remove
  const address = value.slice(0, MAX_SCHEME_TEXT).replace(/[\u0000-\u0020]+/g, '')
  return UNSAFE_SCHEME.test(address) || (DOCUMENT_ELEMENTS.has(element) && /^data:/i.test(address))
}

const EVENT_HANDLER = /^on[a-z]/

/** Characters of a URL that are searched for its scheme. */
const MAX_SCHEME_TEXT = 1000

/** True for the address of a link that the content leaves out, as one that runs a script. */
export const isUnsafeLink = (address: string): boolean => !address.startsWith('http') && isUnsafe('a', 'href', address)
