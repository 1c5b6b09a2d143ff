import { isSuccessStatus, TOO_MANY_REQUESTS } from '../../base/http/statuses.js'
import { type ErrorCode, TrawlError } from '../../base/errors.js'
import type { FoundMedia, MediaSource } from '../../content/extract/media/found-media.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import type { MediaBytes } from './ffmpeg.js'
import { identifyMedia } from './identify-media.js'
import type { MediaKind } from '../../base/media/media-types.js'
import { MAX_SEGMENTS } from './playlist.js'
import { withoutCredentials } from '../../base/url.js'
import type { MediaSources, PageMedia } from './page-media.js'
import { downloadPlaylist } from './download-playlist.js'

/** Maximum downloads for one format of one page. */
const MAX_DOWNLOADS = 12
/** Budget for failed downloads, as a multiple of the per-file limit. */
const MAX_WASTED_FILES = 2

type Headers = Readonly<Record<string, string>>

/** A file, with the URL that it came from. */
export interface ObtainedFile extends MediaBytes {
  /** That of the page for a file of its own, and of a host's function that gave no URL. */
  readonly from: string
  /** True if it was assembled from a playlist. */
  readonly isPlaylist?: boolean
}

/** A candidate that gave no usable file. */
interface MediaFailure {
  readonly url: string
  readonly why: string
  /** @default the code for a page without usable media */
  readonly code?: ErrorCode
  /** Size of the useless download. @default 0 */
  readonly wastedBytes?: number
}

/** Searches for the audio or the videos of one page, and records why candidates failed. */
export class MediaSearch {
  readonly #page: FetchedPage
  readonly #media: PageMedia
  readonly #kind: MediaKind
  readonly #found: readonly FoundMedia[]
  readonly #failures: TrawlError[] = []
  readonly #quota = { segments: MAX_SEGMENTS }
  #left = MAX_DOWNLOADS
  /** Bytes of downloads that gave no usable file. */
  #wastedBytes = 0

  constructor(page: FetchedPage, kind: MediaKind, { media, inputs }: MediaSources) {
    this.#page = page
    this.#media = media
    this.#kind = kind
    this.#found = inputs?.media ?? []
  }

  /**
   * Returns the audio or video if the response itself is such a file, or a playlist of its segments; undefined if it is
   * a page.
   */
  async own(): Promise<ObtainedFile | undefined> {
    const { body: bytes, url } = this.#page
    const mediaType = identifyMedia(bytes)
    if (mediaType === undefined) return undefined
    return mediaType === 'playlist' ? await this.#download(url, this.#page, {}) : { bytes, mediaType, from: url }
  }

  /** The audio and videos that the page embeds, most certain first. */
  get found(): readonly FoundMedia[] {
    return this.#found
  }

  /** Downloads the sources of one file until one gives a wanted file; undefined when none does. */
  async get(
    sources: readonly MediaSource[],
    isWanted: (file: MediaBytes) => boolean,
  ): Promise<ObtainedFile | undefined> {
    for (const { url } of sources) {
      const file = await this.#try(url)
      if (file && isWanted(file)) return file
      if (file) this.recordFailure({ url, why: `it is ${file.mediaType}`, wastedBytes: file.bytes.length })
    }
    return undefined
  }

  /** Calls the host's `mediaExtractor`. @throws TrawlError the error of the extractor */
  async extract(): Promise<ObtainedFile | undefined> {
    const answer = await this.#media.extract?.(this.#kind)
    if (!answer) return undefined
    if ('url' in answer) return await this.#try(answer.url, answer.headers ?? {}, true)
    const mediaType = identifyMedia(answer.bytes)
    if (mediaType !== undefined && mediaType !== 'playlist')
      return { bytes: answer.bytes, mediaType, from: this.#page.url }
    this.recordFailure({ url: this.#page.url, why: 'the result of `mediaExtractor` is neither audio nor video' })
    return undefined
  }

  /** Records why a candidate gave no usable file. */
  recordFailure({ url, why, code = this.#unsupported, wastedBytes = 0 }: MediaFailure): void {
    this.#wastedBytes += wastedBytes
    const named = url.startsWith('data:') ? 'a `data:` URI' : withoutCredentials(new URL(url)).href.slice(0, 300)
    this.#failures.push(new TrawlError(code, `\`${this.#kind}\` cannot be read from ${named}: ${why}`, this.#about))
  }

  /**
   * Returns the error of a search without a result: the first failure other than unsupported content, otherwise the
   * first failure, otherwise an error saying that the page has no media.
   */
  toError(): TrawlError {
    const { download, extract } = this.#media
    const [worst] = [...this.#failures].sort((a, b) => Number(this.#isUnsupported(a)) - Number(this.#isUnsupported(b)))
    if (worst) return worst
    const what = this.#kind === 'audio' ? 'no audio' : 'no video'
    const advice = !download
      ? ', and nothing may be downloaded for it'
      : extract
        ? ', and `mediaExtractor` does not support it'
        : ': the engine option `mediaExtractor` may find some'
    return new TrawlError(this.#unsupported, `There is ${what} on the page${advice}`, this.#about)
  }

  /** Messages of the failures so far. */
  get failures(): string[] {
    return this.#failures.map(({ message }) => `${message}.`)
  }

  get #unsupported(): ErrorCode {
    return this.#kind === 'audio' ? 'SCRAPE_AUDIO_UNSUPPORTED_URL' : 'SCRAPE_VIDEO_UNSUPPORTED_URL'
  }

  get #about(): { url: string } {
    return { url: this.#page.url }
  }

  #isUnsupported(error: TrawlError): boolean {
    return error.code === this.#unsupported
  }

  async #try(url: string, headers: Headers = {}, isSure = false): Promise<ObtainedFile | undefined> {
    const { download, signal, maxBytes } = this.#media
    if (/^data:/i.test(url)) return this.#identify(url, decodeData(url))
    if (!download) {
      this.recordFailure({ url, why: 'nothing may be downloaded for this page' })
      return undefined
    }
    const isExhausted = this.#left <= 0 || this.#wastedBytes > maxBytes * MAX_WASTED_FILES
    if (isExhausted && !isSure) return undefined
    this.#left -= 1
    try {
      const answer = await download(url, headers)
      const { statusCode, body } = answer
      if (!isSuccessStatus(statusCode))
        this.recordFailure({ url, why: `it was answered with status ${statusCode}`, code: codeOf(statusCode) })
      else if (identifyMedia(body) === 'playlist') return await this.#download(url, answer, headers)
      else return this.#identify(url, body)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof TrawlError)) throw error
      // The error does not state how much was received, so the limit is assumed.
      const wastedBytes = error.code.endsWith('TOO_LARGE') ? maxBytes : 0
      this.recordFailure({ url, why: error.message, code: error.code, wastedBytes })
    }
    return undefined
  }

  async #download(url: string, playlist: FetchedPage, headers: Headers): Promise<ObtainedFile | undefined> {
    const result = await downloadPlaylist(playlist, { kind: this.#kind, headers, quota: this.#quota }, this.#media)
    if ('bytes' in result) {
      const file = this.#identify(url, result.bytes)
      return file && { ...file, isPlaylist: true }
    }
    this.recordFailure({ url, why: result.why })
    return undefined
  }

  #identify(url: string, bytes: Uint8Array): ObtainedFile | undefined {
    const mediaType = identifyMedia(bytes)
    if (mediaType !== undefined && mediaType !== 'playlist') return { bytes, mediaType, from: url }
    this.recordFailure({ url, why: 'it is neither audio nor video', wastedBytes: bytes.length })
    return undefined
  }
}

function codeOf(statusCode: number): ErrorCode | undefined {
  if (statusCode === 401 || statusCode === 403 || statusCode === 451) return 'SCRAPE_MEDIA_ACCESS_DENIED'
  return statusCode === TOO_MANY_REQUESTS || statusCode >= 500 ? 'SCRAPE_SITE_ERROR' : undefined
}

/** Decodes a `data:` URI. @see RFC 2397 */
function decodeData(uri: string): Uint8Array {
  const comma = uri.indexOf(',')
  const data = uri.slice(comma + 1)
  const plain = data.replace(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
  return Buffer.from(plain, /;\s*base64\s*$/i.test(uri.slice(0, comma)) ? 'base64' : 'latin1')
}
