import { webcrypto } from 'node:crypto'
import { ownValue } from '../../base/collections/own-value.js'
import { TrawlError } from '../../base/errors.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import { mediaTypes } from '../../base/media/media-types.js'
import type { OriginalFile } from '../../base/media/media.js'
import { pickParserInput } from '../../content/digest/digest-input.js'
import { CONTAINED } from '../../content/parse/media-type/contained-types.js'
import { extensionOf, nameOfFile } from '../../content/parse/media-type/file-name.js'
import { mediaTypeOf, XHTML } from '../../content/parse/media-type/sniff-media-type.js'
import type { EnrichFormat } from '../../kernel/enrich/format.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'

/** The page itself, if it is a file: PDF, office, image, audio, video or any other. A crawl then follows links to files of all types. */
export interface OriginalFormat {
  type: 'original'
}

/** Fields that `original` fills. */
interface OriginalFields {
  /** The file as received, stored by the engine's `media` sink; absent for a web page, a Markdown file and an error page. */
  original: OriginalFile
}

/** @see docs/guides/files.md#keep-the-files-themselves */
export const original: EnrichFormat<OriginalFormat, OriginalFields> = {
  type: 'original',
  traits: ['file', 'original'],
  async produce(page, _options, tools) {
    const { body, statusCode, url: pageUrl } = page
    const found = isSuccessStatus(statusCode) ? describeFile(page) : undefined
    if (!found) return { fields: {} }
    const { name, mediaType, ending } = found
    try {
      const { url, warning } = await tools.publish({ kind: 'original', mediaType, ending, bytes: body, pageUrl })
      const sha256 = Buffer.from(await webcrypto.subtle.digest('SHA-256', body)).toString('hex')
      return { fields: { original: { url, name, mediaType, bytes: body.byteLength, sha256 } }, warnings: [warning] }
    } catch (error) {
      if (!(error instanceof TrawlError) || error.code !== 'SCRAPE_MEDIA_NOT_KEPT') throw error
      return { fields: {}, warnings: [`There is no \`original\`: ${error.message}.`] }
    }
  },
}

/** Names a file; undefined for a page of the web, and for Markdown, which the document has as it was received. */
function describeFile(page: FetchedPage): { name: string; mediaType: string; ending: string } | undefined {
  const input = pickParserInput(page)
  const seen = mediaTypeOf(input)
  if (seen === 'text/html' || seen === XHTML || seen === 'text/markdown') return undefined
  const given = nameOfFile(input)
  const extension = extensionOf(given)
  const mediaType = ownValue(ownValue(CONTAINED, seen) ?? {}, extension) ?? seen
  const known = ENDINGS.get(mediaType)
  const hasExtension = given.includes('.') && SAFE_ENDING.test(extension)
  if (hasExtension && (known?.includes(extension) ?? true)) return { name: given, mediaType, ending: extension }
  const [ending = 'bin'] = known ?? []
  return { name: `${given === '' ? 'file' : given}.${ending}`, mediaType, ending }
}

const SAFE_ENDING = /^[a-z\d]{1,10}$/

/** File name extensions by media type, the usual one first. */
const ENDINGS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Object.values(CONTAINED).flatMap((types) =>
    Object.entries(types).map(([ending, type]) => [type, [ending]] as const),
  ),
  ...Object.entries(mediaTypes).map(([type, { ending }]) => [type, [ending]] as const),
  ['application/pdf', ['pdf']],
  ['application/rtf', ['rtf']],
  ['application/zip', ['zip']],
  ['application/gzip', ['gz', 'tgz', 'svgz']],
  ['application/json', ['json', 'geojson', 'webmanifest', 'ipynb']],
  ['application/xml', ['xml', 'rss', 'atom', 'xsd', 'fodt', 'fods']],
  ['text/csv', ['csv']],
  ['text/tab-separated-values', ['tsv', 'tab']],
  ['image/svg+xml', ['svg']],
  ['image/png', ['png']],
  ['image/jpeg', ['jpg', 'jpeg', 'jfif']],
  ['image/gif', ['gif']],
  ['image/webp', ['webp']],
  ['image/avif', ['avif']],
  ['image/tiff', ['tif', 'tiff']],
])
