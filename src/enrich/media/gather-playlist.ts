import type { FetchedPage } from '../../fetch/fetched-page.js'
import type { MediaKind } from '../../media/media-types.js'
import { readPlaylist } from '../../media/playlist.js'
import type { PageMedia } from '../format.js'

/** Pieces that are on their way at once. */
const AT_ONCE = 4

/** What is wanted of a playlist. */
export interface PlaylistWish {
  readonly kind: MediaKind
  /** For the host of the playlist alone. */
  readonly headers: Readonly<Record<string, string>>
  /** How many pieces may still be asked for. */
  readonly room: { pieces: number }
}

/** What came of a playlist: its pieces, one after the other, or why not. */
export type Gathered = { readonly bytes: Uint8Array } | { readonly why: string }

/**
 * Downloads what an HLS playlist lists, each piece by the rules that hold for any file of the page; together they are no larger than
 * one file may be.
 *
 * @param first the playlist, as it came
 * @throws TrawlError as a download does; the signal's reason
 */
export async function gatherPlaylist(first: FetchedPage, wish: PlaylistWish, media: PageMedia): Promise<Gathered> {
  const { download } = media
  if (!download) return { why: 'nothing is fetched for it' }
  const { host } = new URL(first.url)
  const get = (url: string): Promise<FetchedPage> => download(url, new URL(url).host === host ? wish.headers : {})
  let reading = readPlaylist(first.body, first.url, wish.kind)
  if (reading.kind === 'choice') {
    const chosen = await get(reading.url)
    if (!isGiven(chosen)) return { why: `a playlist in it answered ${chosen.statusCode}` }
    reading = readPlaylist(chosen.body, chosen.url, wish.kind)
  }
  if (reading.kind === 'choice') return { why: 'it is a playlist of playlists of playlists' }
  if (reading.kind === 'refused') return { why: reading.why }
  wish.room.pieces -= reading.urls.length
  if (wish.room.pieces < 0) return { why: `it has ${reading.urls.length} pieces, which are too many` }
  return await gather(reading.urls, get, media.maxBytes)
}

const isGiven = ({ statusCode }: FetchedPage): boolean => statusCode >= 200 && statusCode < 300

async function gather(
  urls: readonly string[],
  get: (url: string) => Promise<FetchedPage>,
  maxBytes: number,
): Promise<Gathered> {
  const pieces: Uint8Array[] = []
  let size = 0
  let why: string | undefined
  const next = urls.entries()
  const work = async (): Promise<void> => {
    for (const [index, url] of next) {
      if (why !== undefined) return
      const piece = await get(url).catch((error: unknown) => {
        why = 'a piece did not come'
        throw error
      })
      size += piece.body.length
      if (!isGiven(piece)) why = `a piece of it answered ${piece.statusCode}`
      else if (size > maxBytes) why = `its pieces are larger than \`limits.bodyBytes\` (${maxBytes} bytes)`
      pieces[index] = piece.body
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
  return why === undefined ? { bytes: Buffer.concat(pieces) } : { why }
}
