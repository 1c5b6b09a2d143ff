import { readSitemap } from '../../../src/content/sitemap/read-sitemap.js'
import type { SitemapItem } from '../../../src/content/sitemap/sitemap-item.js'

export const MEBIBYTE = 1_048_576

export async function readItems(
  body: string | Uint8Array,
  {
    contentType,
    maxBytes = MEBIBYTE,
    maxEntries = 50_000,
  }: { contentType?: string; maxBytes?: number; maxEntries?: number } = {},
): Promise<SitemapItem[]> {
  const file = {
    url: 'https://example.com/maps/map.xml',
    statusCode: 200,
    body: typeof body === 'string' ? Buffer.from(body) : body,
    ...(contentType === undefined ? {} : { contentType }),
  }
  const items: SitemapItem[] = []
  for await (const item of readSitemap(
    file,
    { fileBytes: maxBytes, fileEntries: maxEntries },
    new AbortController().signal,
  ))
    items.push(item)
  return items
}

export const urlsOf = (items: readonly SitemapItem[]): string[] =>
  items.flatMap((item) => ('url' in item ? item.url : []))
export const problemsOf = (items: readonly SitemapItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'problem' ? item.problem : []))
export const pagesOf = (items: readonly SitemapItem[]) =>
  items.flatMap((item) => {
    if (item.kind !== 'page') return []
    const { kind: _, ...page } = item
    return page
  })

export const escape = (text: string): string =>
  text.replace(/[<>&'"]/g, (letter) => `&#${letter.charCodeAt(0)};`).replace('&#38;', '&amp;')
export const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'
export const urlset = (...entries: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${namespace}">${entries.join('')}</urlset>`
export const locs = (...urls: string[]): string => urlset(...urls.map((url) => `<url><loc>${escape(url)}</loc></url>`))

export const a = 'https://example.com/a'
export const b = 'https://example.com/b'
