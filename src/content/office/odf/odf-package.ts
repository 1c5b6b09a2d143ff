import type { OfficeMetadata } from '../elements/create-element.js'
import { brokenFile, protectedFile } from '../refusals.js'
import { lossWarnings } from '../warnings.js'
import {
  child,
  childrenNamed,
  descendants,
  readXml,
  type TreePlan,
  type XmlElement,
  type XmlNode,
  xmlText,
} from '../package/xml.js'
import { openZip } from '../package/zip.js'

/** Parsed OpenDocument file. */
interface OpenDocument {
  /** `office:document-content`, or the root of a single-file document. */
  readonly content: XmlElement
  /** Child of `office:body`: `office:text`, `office:spreadsheet` or `office:presentation`. */
  readonly body: XmlElement
  /** `office:document-styles`. */
  readonly styles: XmlElement | undefined
  readonly metadata: OfficeMetadata
  /** Size of the parts that were read. Bytes. */
  readonly sourceBytes: number
  /** Warnings about parts that were not read, as sentences. */
  readonly warnings: readonly string[]
  /** Returns the content of an embedded object by its address: `./Object 1`. */
  readonly objectAt: (href: string | undefined) => XmlElement | undefined
}

/** Maximum number of elements and texts of all embedded objects. */
const MAX_OBJECT_NODES = 200_000

// Elements whose content is not displayed.
const LEFT_OUT = new Set([
  // Inline image data: images are referred to by address, never embedded.
  'office:binary-data',
  'office:annotation',
  'office:annotation-end',
  'office:event-listeners',
  'office:forms',
  'text:sequence-decls',
  'text:user-field-decls',
  'text:variable-decls',
  'table:calculation-settings',
  'table:content-validations',
  'table:tracked-changes',
])

const PLAN: TreePlan = {
  isLeftOut: (name, parent) =>
    LEFT_OUT.has(name) ||
    (name.startsWith('text:') && name.endsWith('-source')) ||
    (name === 'text:tracked-changes' && parent !== 'office:text'),
}

/**
 *
 * @throws TrawlError `SCRAPE_FILE_BROKEN`, `SCRAPE_FILE_ENCRYPTED`, `SCRAPE_FILE_TOO_COMPLEX`
 * @see OpenDocument 1.3 part 2
 */
export function openOpenDocument(bytes: Uint8Array): OpenDocument {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  return isZip ? openParts(bytes) : openFlat(bytes)
}

/** Opens a single-file (flat XML) document. @see OpenDocument 1.3 part 3, section 3.1.2 */
function openFlat(bytes: Uint8Array): OpenDocument {
  const tree = readXml(bytes, PLAN)
  const { root } = tree
  return {
    content: root,
    body: bodyOf(root),
    styles: root,
    metadata: { language: defaultLanguage(root), ...readMeta(root) },
    warnings: lossWarnings(tree),
    objectAt: () => undefined,
    sourceBytes: bytes.length,
  }
}

function bodyOf(content: XmlElement): XmlElement {
  const [body] = child(content, 'office:body')?.children.filter((node) => typeof node !== 'string') ?? []
  if (body === undefined) throw brokenFile('its content is empty')
  removeDeletions(body)
  return body
}

function openParts(bytes: Uint8Array): OpenDocument {
  const zip = openZip(bytes)
  const manifest = zip.read('META-INF/manifest.xml')
  if (manifest !== undefined) refuseEncrypted(readXml(manifest).root)
  const contentBytes = zip.read('content.xml')
  if (contentBytes === undefined) throw brokenFile('its content is missing')
  const tree = readXml(contentBytes, PLAN)
  const content = tree.root
  const body = bodyOf(content)
  const stylesBytes = zip.read('styles.xml')
  const styles = stylesBytes === undefined ? undefined : readXml(stylesBytes, PLAN).root
  const meta = zip.read('meta.xml')
  const language = defaultLanguage(styles)
  const stated = meta === undefined ? undefined : readMeta(readXml(meta).root)
  const metadata = { ...stated, language: stated?.language ?? language }
  let nodesLeft = MAX_OBJECT_NODES
  const objectAt = (href: string | undefined): XmlElement | undefined => {
    const objectBytes = href === undefined ? undefined : zip.read(`${href.replace(/^\.\/|\/$/g, '')}/content.xml`)
    if (objectBytes === undefined || nodesLeft <= 0) return undefined
    const { root, nodes } = readXml(objectBytes, { maxNodes: nodesLeft })
    nodesLeft -= nodes
    return root
  }
  return {
    content,
    body,
    styles,
    metadata,
    warnings: lossWarnings(tree),
    objectAt,
    get sourceBytes() {
      return zip.unpackedBytes
    },
  }
}

function refuseEncrypted(manifest: XmlElement): void {
  const encrypted = descendants(manifest, 'manifest:file-entry').find(
    (entry) => child(entry, 'manifest:encryption-data') !== undefined,
  )
  if (encrypted !== undefined)
    throw protectedFile(`\`${encrypted.attributes['manifest:full-path'] ?? 'its content'}\` is encrypted`)
}

/** @see OpenDocument 1.3 part 3, section 4.3 */
function readMeta(root: XmlElement): OfficeMetadata {
  const meta = child(root, 'office:meta')
  const property = (name: string): string | undefined => xmlText(child(meta, name)).trim() || undefined
  const keywords = childrenNamed(meta, 'meta:keyword').map((keyword) => xmlText(keyword).trim())
  const language = property('dc:language')
  return {
    title: property('dc:title'),
    author: property('meta:initial-creator') ?? property('dc:creator'),
    description: property('dc:description') ?? property('dc:subject'),
    keywords: keywords.length === 0 ? undefined : keywords.join(', '),
    language,
    publishedTime: property('meta:creation-date'),
    modifiedTime: property('dc:date'),
  }
}

function defaultLanguage(styles: XmlElement | undefined): string | undefined {
  for (const style of childrenNamed(child(styles, 'office:styles'), 'style:default-style')) {
    const { 'fo:language': language, 'fo:country': country } = child(style, 'style:text-properties')?.attributes ?? {}
    if (language === undefined || language === 'none' || language === 'zxx') continue
    return country === undefined || country === 'none' ? language : `${language}-${country}`
  }
  return undefined
}

/**
 * Removes the record of tracked changes, and deleted text that is still in the text, between marks. LibreOffice writes it so
 * to single-file documents.
 *
 * @see OpenDocument 1.3 part 3, section 5.5
 */
function removeDeletions(body: XmlElement): void {
  const changes = child(body, 'text:tracked-changes')
  if (changes === undefined) return
  body.children.splice(body.children.indexOf(changes), 1)
  // A deletion without an end would remove the rest of the text.
  const ended = new Set(descendants(body, 'text:change-end').map(changeOf))
  const deletions = new Set(
    childrenNamed(changes, 'text:changed-region')
      .filter((region) => child(region, 'text:deletion') !== undefined)
      .map(({ attributes }) => attributes['text:id'] ?? attributes['xml:id'])
      .filter((id) => ended.has(id)),
  )
  if (deletions.size > 0) removeBetween(body, deletions, new Set())
}

const changeOf = ({ attributes }: XmlElement): string | undefined => attributes['text:change-id']

/** @param open deletions that began before the element, and have not ended */
function removeBetween(
  element: XmlElement,
  deletions: ReadonlySet<string | undefined>,
  open: Set<string | undefined>,
): void {
  const nodes: readonly XmlNode[] = [...element.children]
  element.children.length = 0
  for (const node of nodes) {
    if (typeof node === 'string') {
      if (open.size === 0) element.children.push(node)
    } else if (node.name === 'text:change-start' && deletions.has(changeOf(node))) open.add(changeOf(node))
    else if (node.name === 'text:change-end') open.delete(changeOf(node))
    else {
      const isDeletedAtStart = open.size > 0
      removeBetween(node, deletions, open)
      if (!isDeletedAtStart || open.size === 0 || node.children.length > 0) element.children.push(node)
    }
  }
}
