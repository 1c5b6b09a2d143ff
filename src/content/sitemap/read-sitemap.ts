import { messageOf } from '../../base/errors.js'
import { TextDecoder } from 'node:util'
import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import { gunzip, isGzip } from './gunzip.js'
import { type ItemList, type SitemapItem, type SitemapReader, createItemList } from './sitemap-item.js'
import { readXmlSitemap } from './sitemap-xml.js'
import type { SiteFile } from '../../base/http/site-file.js'
import { MAX_URL_CHARACTERS } from '../../base/url.js'

// Parses for a millisecond or two between two checks of the clock, whatever the content.
const SLICE_BYTES = 16_384
/** Items yielded between two checks of the clock, because the consumer's work counts as well. */
const ITEMS = 16

/** Limits of one sitemap file. */
export interface SitemapFileLimits {
  /** Maximum bytes, after decompression. */
  readonly fileBytes: number
  /** Maximum entries, usable or not. */
  readonly fileEntries: number
}

/**
 * Yields the content of a sitemap file as it is parsed: XML, an index, RSS, Atom or text, gzipped or not.
 *
 * Never throws for the content: at an unreadable place, the last item is a problem. A file that is not a sitemap has no
 * item of the kind `format`.
 *
 * @param signal stops reading without an error
 */
export async function* readSitemap(
  { body, contentType, url }: SiteFile,
  { fileBytes, fileEntries }: SitemapFileLimits,
  signal: AbortSignal,
): AsyncGenerator<SitemapItem, void, void> {
  const list = createItemList(url)
  let reader: SitemapReader | undefined
  try {
    for await (const text of decode(readSlices(body, fileBytes), contentType)) {
      if (text === '') continue
      reader ??= chooseReader(text, list)
      reader.write(text)
      for (const [index, item] of list.drain().entries()) {
        yield item
        if (index % ITEMS === 0) await yieldIfHeld()
      }
      if (reader.isDone) break
      if (list.entries > fileEntries)
        throw new UnreadableError(`lists more than ${fileEntries} entries: the rest is not read`)
      await yieldIfHeld()
      if (signal.aborted) return
    }
    if (!reader) list.addProblem('is empty')
    else if (!reader.isDone) reader.end()
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    list.addProblem(error.message)
  }
  list.countUnusable()
  yield* list.drain()
}

/** Thrown when the rest of the file cannot be read. */
class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

function chooseReader(start: string, list: ItemList): SitemapReader {
  if (/^\s*https?:\/\//i.test(start)) return readTextSitemap(list)
  // The program that writes the file may print a warning before the XML.
  if (/^\s*<|<(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|rdf)\b/i.test(start)) return readXmlSitemap(list)
  list.addProblem('is no sitemap: neither XML nor a list of URLs')
  return { isDone: true, write: () => undefined, end: () => undefined }
}

/** Splits the bytes into slices, decompressing gzip whatever the name and the headers say. */
async function* readSlices(body: Uint8Array, maxBytes: number): AsyncGenerator<Uint8Array, void, void> {
  let total = 0
  for await (const slice of isGzip(body) ? unzip(body) : cut(body)) {
    total += slice.byteLength
    if (total > maxBytes) throw new UnreadableError(`is larger than ${maxBytes} bytes: the rest is not read`)
    yield slice
  }
}

function* cut(body: Uint8Array): Generator<Uint8Array, void, void> {
  for (let at = 0; at < body.byteLength; at += SLICE_BYTES) yield body.subarray(at, at + SLICE_BYTES)
}

async function* unzip(body: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* gunzip(body)
  } catch (error) {
    throw new UnreadableError(`is broken gzip: ${messageOf(error)}`, { cause: error })
  }
}

async function* decode(
  slices: AsyncIterable<Uint8Array>,
  contentType: string | undefined,
): AsyncGenerator<string, void, void> {
  let decoder: TextDecoder | undefined
  for await (const slice of slices) {
    decoder ??= new TextDecoder(findEncoding(slice, contentType))
    yield decoder.decode(slice, { stream: true })
  }
  if (decoder) yield decoder.decode()
}

/**
 * Finds the encoding: byte order mark, zeros of UTF-16, header, XML declaration, UTF-8.
 *
 * @see RFC 7303 section 3, XML 1.0 appendix F
 */
function findEncoding(start: Uint8Array, contentType: string | undefined): string {
  const [first = 0, second = 0] = start
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be'
  const declaration = Buffer.from(start.subarray(0, 200)).toString('latin1')
  const label =
    /;\s*charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType ?? '')?.[1] ??
    /^[^<]*<\?xml[^>]*\sencoding\s*=\s*["']([\w:.-]+)["']/.exec(declaration)?.[1] ??
    'utf-8'
  // .NET declares `utf-16` in files that are UTF-8.
  return /^utf-?16/i.test(label) || !isKnown(label) ? 'utf-8' : label
}

function isKnown(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/**
 * Creates a reader of text sitemaps: one absolute URL per line.
 *
 * @see https://www.sitemaps.org/protocol.html#otherformats
 */
export function readTextSitemap(list: ItemList): SitemapReader {
  let unfinished = ''
  list.addFormat('text')
  const addLine = (line: string): void => {
    const href = line.trim()
    if (/^https?:\/\//i.test(href)) list.addEntry('page', href)
    else if (href !== '') list.addUnusable(href)
  }
  return {
    isDone: false,
    write(text) {
      const lines = (unfinished + text).split(/[\r\n]+/)
      // A line longer than any URL is invalid, so only its start is buffered.
      unfinished = (lines.pop() ?? '').slice(0, MAX_URL_CHARACTERS + 1)
      for (const line of lines) addLine(line)
    },
    end: () => addLine(unfinished),
  }
}
