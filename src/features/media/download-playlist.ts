import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import type { MediaKind } from '../../base/media/media-types.js'
import { readPlaylist } from './playlist.js'
import type { PageFiles } from '../../kernel/enrich/format.js'

/** Concurrent downloads of segments. */
const MAX_CONCURRENT = 4

/** Request for the file behind a playlist. */
interface PlaylistRequest {
  readonly kind: MediaKind
  /** Sent to the host of the playlist only. */
  readonly headers: Readonly<Record<string, string>>
  /** Number of segments that may still be downloaded for the page. */
  readonly quota: { segments: number }
}

/** The concatenated segments of a playlist, or the reason why there are none. */
type PlaylistDownload = { readonly bytes: Uint8Array } | { readonly why: string }

/**
 * Downloads the segments of an HLS playlist, each under the page's own rules for requests. Together they are at most as
 * large as one file may be.
 *
 * @param first the playlist as received
 * @throws TrawlError as a download does; the reason of the signal
 */
export async function downloadPlaylist(
  first: FetchedPage,
  request: PlaylistRequest,
  media: PageFiles,
): Promise<PlaylistDownload> {
  const { download } = media
  if (!download) return { why: 'nothing may be downloaded for this page' }
  const { host } = new URL(first.url)
  const get = (url: string): Promise<FetchedPage> => download(url, new URL(url).host === host ? request.headers : {})
  let reading = readPlaylist(first.body, first.url, request.kind)
  if (reading.kind === 'choice') {
    const chosen = await get(reading.url)
    if (!isSuccess(chosen)) return { why: `a playlist in it was answered with status ${chosen.statusCode}` }
    reading = readPlaylist(chosen.body, chosen.url, request.kind)
  }
  if (reading.kind === 'choice') return { why: 'its playlists are nested more than once' }
  if (reading.kind === 'refused') return { why: reading.why }
  request.quota.segments -= reading.urls.length
  if (request.quota.segments < 0)
    return { why: `it has ${reading.urls.length} segments, more than can still be downloaded for this page` }
  return await downloadSegments(reading.urls, get, media.maxBytes)
}

const isSuccess = ({ statusCode }: FetchedPage): boolean => isSuccessStatus(statusCode)

async function downloadSegments(
  urls: readonly string[],
  get: (url: string) => Promise<FetchedPage>,
  maxBytes: number,
): Promise<PlaylistDownload> {
  const segments: Uint8Array[] = []
  let size = 0
  let why: string | undefined
  const next = urls.entries()
  const work = async (): Promise<void> => {
    for (const [index, url] of next) {
      if (why !== undefined) return
      const segment = await get(url).catch((error: unknown) => {
        why = 'a segment could not be downloaded'
        throw error
      })
      size += segment.body.length
      if (!isSuccess(segment)) why = `a segment was answered with status ${segment.statusCode}`
      else if (size > maxBytes) why = `its segments are larger than \`limits.bodyBytes\` (${maxBytes} bytes)`
      segments[index] = segment.body
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: MAX_CONCURRENT }, work))
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
  return why === undefined ? { bytes: Buffer.concat(segments) } : { why }
}
