import { createHash } from 'node:crypto'
import type { LinkedChunk } from '../../content/convert/formats/chunks.js'
import { parseUrl, withoutFragment } from '../../base/url.js'
import type { Document } from '../../kernel/page/document.js'

/** Metadata that is part of what a mirror has of a page. */
const KEPT_METADATA = ['title', 'description', 'language'] as const

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** Returns the key of a page: its URL after redirects. */
export const pageKeyOf = ({ metadata }: Document): string => sourceKeyOf(metadata.url)

/** Returns the form of a URL in which it is compared. A text that is no URL stays as it is. */
export const sourceKeyOf = (url: string): string => {
  const parsed = parseUrl(url)
  return parsed ? withoutFragment(parsed).href : url
}

/** Describes what a mirror keeps of the metadata of a page. */
export function describeMetadata({ metadata }: Document): { title?: string; description?: string } {
  const { title, description } = metadata as Record<string, unknown>
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  return { title: textOf(title), description: textOf(description) }
}

/** Hashes the content of a page: all formats, and the metadata that a mirror keeps. Two pages with one content have one digest. */
export function digestPage(document: Document): string {
  const formats = Object.entries(contentOf(document))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, name === 'chunks' ? withoutLinks(value as readonly LinkedChunk[]) : value])
    .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))
  const metadata = KEPT_METADATA.map((name) => (document.metadata as Record<string, unknown>)[name] ?? null)
  return hash(JSON.stringify([formats, metadata]))
}

/** Returns the content of a page: what does not tell of this scrape, or of the page's past. */
export function contentOf(document: Document): Partial<Document> {
  const {
    metadata: _,
    changeTracking: __,
    warning: ___,
    fidelity: ____,
    trace: _____,
    hidden: ______,
    ...formats
  } = document
  return formats
}

/** The links of chunks have the URL of the page. */
const withoutLinks = (chunks: readonly LinkedChunk[]): unknown => chunks.map(({ path, markdown }) => [path, markdown])

/** Replaces what no database takes as text: U+0000, and halves of surrogate pairs. */
export const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Hashes a chunk: its headings and Markdown. */
export const digestChunk = ({ path, markdown }: Pick<LinkedChunk, 'path' | 'markdown'>): string =>
  hash(JSON.stringify([path.map(toStorable), toStorable(markdown)]))

/**
 * Hashes the chunks of a page: headings and Markdown. The second one of two that are the same has a number, so that no position counts
 * but among them.
 */
export function digestChunks(chunks: readonly LinkedChunk[]): string[] {
  const counts = new Map<string, number>()
  return chunks.map((chunk) => {
    const digest = digestChunk(chunk)
    const count = (counts.get(digest) ?? 0) + 1
    counts.set(digest, count)
    return count === 1 ? digest : `${digest}-${count}`
  })
}

/** Returns the key of a chunk of a page. */
export const chunkKeyOf = (pageKey: string, digest: string): string => hash(`${pageKey} ${digest}`)
