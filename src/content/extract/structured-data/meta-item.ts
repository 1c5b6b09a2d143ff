import type { HtmlMetadata } from '../extracted-page.js'
import type { StructuredItem, StructuredValue } from './structured-item.js'

/** Meta tags for each schema.org property. The first one on the page counts. */
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  name: ['og:title'],
  headline: ['og:title'],
  description: ['og:description', 'description'],
  image: ['og:image', 'og:image:secure_url'],
  url: ['og:url', 'canonicalUrl'],
  datePublished: ['article:published_time', 'og:published_time'],
  dateModified: ['article:modified_time', 'og:updated_time'],
  articleSection: ['article:section'],
  keywords: ['article:tag'],
  author: ['author'],
  brand: ['product:brand', 'og:brand'],
  sku: ['product:retailer_item_id'],
  inLanguage: ['language'],
}

const OFFER: Readonly<Record<string, readonly string[]>> = {
  price: ['product:price:amount', 'og:price:amount'],
  priceCurrency: ['product:price:currency', 'og:price:currency'],
  availability: ['product:availability', 'og:availability'],
}

/** Reads the item that the page's meta tags describe; undefined if they describe none. */
export function readMetaItem(metadata: HtmlMetadata): StructuredItem | undefined {
  const properties = readAll(metadata, PROPERTIES)
  const offer = readAll(metadata, OFFER)
  if (Object.keys(offer).length > 0) properties['offers'] = [{ source: 'meta', types: ['Offer'], properties: offer }]
  if (Object.keys(properties).length === 0) return undefined
  return { source: 'meta', types: typeOf(metadata['og:type']), properties }
}

function readAll(
  metadata: HtmlMetadata,
  names: Readonly<Record<string, readonly string[]>>,
): Record<string, StructuredValue[]> {
  const read: Record<string, StructuredValue[]> = {}
  for (const [name, keys] of Object.entries(names)) {
    const values = keys.map((key) => [metadata[key] ?? []].flat().filter((value) => value.trim() !== ''))
    const first = values.find((list) => list.length > 0)
    if (first) read[name] = first
  }
  return read
}

function typeOf(kind: HtmlMetadata[string]): string[] {
  const name = typeof kind === 'string' ? kind.toLowerCase() : ''
  if (/(?:^|[.:])product(?:\.item|\.group)?$/.test(name)) return ['Product']
  return name === 'article' || name === 'news' || name === 'blog' ? ['Article'] : []
}
