import { TOO_MANY_REQUESTS } from '../../http/statuses.js'
import { type ErrorCode, TrawlError } from '../../errors.js'
import type { FoundMedia, MediaSource } from '../../extract/media/found-media.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import type { MediaBytes } from '../../media/ffmpeg.js'
import { identifyMedia } from '../../media/identify-media.js'
import type { MediaKind } from '../../media/media-types.js'
import { MAX_PIECES } from '../../media/playlist.js'
import { withoutCredentials } from '../../url.js'
import type { EnrichTools, PageMedia } from '../format.js'
import { gatherPlaylist } from './gather-playlist.js'

/** Addresses that are asked for one format of one page, at most. */
const MAX_DOWNLOADS = 12
/** What may be downloaded in vain before the others are left alone: so many times what one file may have. */
const MAX_VAIN = 2

type Headers = Readonly<Record<string, string>>

/** Looks for the sound or the films of one page, and remembers what stood in the way. */
export class MediaSearch {
  readonly #page: FetchedPage
  readonly #media: PageMedia
  readonly #kind: MediaKind
  readonly #found: readonly FoundMedia[]
  readonly #troubles: TrawlError[] = []
  readonly #room = { pieces: MAX_PIECES }
  #left = MAX_DOWNLOADS
  /** Bytes that were downloaded, and gave nothing. */
  #vain = 0

  constructor(page: FetchedPage, kind: MediaKind, { media, material }: EnrichTools) {
    this.#page = page
    this.#media = media
    this.#kind = kind
    this.#found = material?.media ?? []
  }

  /** The file that the page itself is, or lists the pieces of; undefined for a page. */
  async own(): Promise<MediaBytes | undefined> {
    const { body: bytes, url } = this.#page
    const mediaType = identifyMedia(bytes)
    if (mediaType === undefined) return undefined
    return mediaType === 'playlist' ? await this.#gather(url, this.#page, {}) : { bytes, mediaType }
  }

  /** What the page shows, in the order of how surely. */
  get found(): readonly FoundMedia[] {
    return this.#found
  }

  /** The first of some addresses of one thing that gives a file of sound or a film; undefined when none does. */
  async get(sources: readonly MediaSource[], isWanted: (file: MediaBytes) => boolean): Promise<MediaBytes | undefined> {
    for (const { url } of sources) {
      const file = await this.#try(url)
      if (file && isWanted(file)) return file
      if (file) this.note(url, `it is ${file.mediaType}`, undefined, file.bytes.length)
    }
    return undefined
  }

  /** What the host's own extractor finds. @throws TrawlError what it throws */
  async extract(): Promise<MediaBytes | undefined> {
    const answer = await this.#media.extract?.(this.#kind)
    if (!answer) return undefined
    if ('url' in answer) return await this.#try(answer.url, answer.headers ?? {}, true)
    const mediaType = identifyMedia(answer.bytes)
    if (mediaType !== undefined && mediaType !== 'playlist') return { bytes: answer.bytes, mediaType }
    this.note(this.#page.url, 'what `mediaExtractor` gave is neither sound nor a film')
    return undefined
  }

  /** Keeps what stood in the way of one address. @param vainBytes what was downloaded of it */
  note(url: string, why: string, code: ErrorCode = this.#unsupported, vainBytes = 0): void {
    this.#vain += vainBytes
    const named = url.startsWith('data:') ? 'a `data:` URI' : withoutCredentials(new URL(url)).href.slice(0, 300)
    this.#troubles.push(new TrawlError(code, `\`${this.#kind}\` cannot be had from ${named}: ${why}`, this.#about))
  }

  /** Why there is nothing in the end: what stood in the way of the surest address. */
  fault(): TrawlError {
    const { download, extract } = this.#media
    const [worst] = [...this.#troubles].sort((a, b) => Number(this.#isPlain(a)) - Number(this.#isPlain(b)))
    if (worst) return worst
    const what = this.#kind === 'audio' ? 'nothing to hear' : 'no film'
    const advice = !download
      ? ': nothing is fetched for it'
      : extract
        ? ', and `mediaExtractor` knows no such page'
        : ': a `mediaExtractor` of the engine might find one'
    return new TrawlError(this.#unsupported, `There is ${what} on the page${advice}`, this.#about)
  }

  /** What was noted so far, for a reader. */
  get troubles(): string[] {
    return this.#troubles.map(({ message }) => `${message}.`)
  }

  get #unsupported(): ErrorCode {
    return this.#kind === 'audio' ? 'SCRAPE_AUDIO_UNSUPPORTED_URL' : 'SCRAPE_VIDEO_UNSUPPORTED_URL'
  }

  get #about(): { url: string } {
    return { url: this.#page.url }
  }

  #isPlain(error: TrawlError): boolean {
    return error.code === this.#unsupported
  }

  async #try(url: string, headers: Headers = {}, isSure = false): Promise<MediaBytes | undefined> {
    const { download, signal, maxBytes } = this.#media
    if (/^data:/i.test(url)) return this.#judge(url, decodeData(url))
    if (!download) {
      this.note(url, 'nothing is fetched for it')
      return undefined
    }
    const isTooMuch = this.#left <= 0 || this.#vain > maxBytes * MAX_VAIN
    if (isTooMuch && !isSure) return undefined
    this.#left -= 1
    try {
      const answer = await download(url, headers)
      const { statusCode, body } = answer
      if (statusCode < 200 || statusCode > 299) this.note(url, `it answered ${statusCode}`, codeOf(statusCode))
      else if (identifyMedia(body) === 'playlist') return await this.#gather(url, answer, headers)
      else return this.#judge(url, body)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof TrawlError)) throw error
      // How much of it came before it was too much is not told.
      this.note(url, error.message, error.code, error.code.endsWith('TOO_LARGE') ? maxBytes : 0)
    }
    return undefined
  }

  async #gather(url: string, playlist: FetchedPage, headers: Headers): Promise<MediaBytes | undefined> {
    const gathered = await gatherPlaylist(playlist, { kind: this.#kind, headers, room: this.#room }, this.#media)
    if ('bytes' in gathered) return this.#judge(url, gathered.bytes)
    this.note(url, gathered.why)
    return undefined
  }

  #judge(url: string, bytes: Uint8Array): MediaBytes | undefined {
    const mediaType = identifyMedia(bytes)
    if (mediaType !== undefined && mediaType !== 'playlist') return { bytes, mediaType }
    this.note(url, 'it is neither sound nor a film', undefined, bytes.length)
    return undefined
  }
}

function codeOf(statusCode: number): ErrorCode | undefined {
  if (statusCode === 401 || statusCode === 403 || statusCode === 451) return 'SCRAPE_MEDIA_ACCESS_DENIED'
  return statusCode === TOO_MANY_REQUESTS || statusCode >= 500 ? 'SCRAPE_SITE_ERROR' : undefined
}

/** The bytes of a `data:` URI. @see RFC 2397 */
function decodeData(uri: string): Uint8Array {
  const comma = uri.indexOf(',')
  const data = uri.slice(comma + 1)
  const plain = data.replace(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
  return Buffer.from(plain, /;\s*base64\s*$/i.test(uri.slice(0, comma)) ? 'base64' : 'latin1')
}
