import { MAX_DATA_BYTES } from '../../base/media/publish-media.js'
import type { EnrichFormat } from '../../kernel/enrich/format.js'
import { type MediaTools, openPageMedia, type MediaSources } from './page-media.js'
import type { FoundMedia, MediaFacts } from '../../content/extract/media/found-media.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import type { MediaBytes } from './ffmpeg.js'
import { mediaTypes } from '../../base/media/media-types.js'
import { MediaSearch, type ObtainedFile } from './media-search.js'

/** The videos that the page shows, in their original format. */
export interface VideoFormat {
  type: 'video'
}

/** A video of a page. What the page does not state is absent. */
export interface PageVideo {
  /** The URL that the engine's `media` sink returned, a `data:` URI without a sink. */
  url: string
  /** URL of the file on the web; that of the page if it is the file, or if the `mediaExtractor` gave the bytes; `data:` for one in the page. */
  sourceURL: string
  /** `file`: one file; `playlist`: assembled from the segments of a playlist. */
  kind: 'file' | 'playlist'
  /** Host of `sourceURL`, without `www.`; empty for one in the page. */
  provider: string
  title?: string
  /** URL of a picture of it. */
  thumbnail?: string
  /** Seconds. */
  duration?: number
  /** Media type of the file, by its bytes. */
  mimeType: string
  /** Pixels, as the page states them. */
  width?: number
  height?: number
}

/** Fields that `video` fills. */
interface VideoFields {
  /** The main video of the page: `url` of the first of `videos`. */
  video: string
  /** The videos that the page shows, in page order; at most 8. */
  videos: PageVideo[]
}

/** @see docs/compatibility/documents.md#audio-and-video */
export const video: EnrichFormat<VideoFormat, VideoFields> = {
  type: 'video',
  traits: ['file'],
  charges: () => 'video',
  needs: { media: () => true },
  async produce(page, _, tools, opened: MediaTools) {
    const { url: pageUrl, statusCode } = page
    if (statusCode >= 400)
      return { fields: {}, warnings: [`There is no \`video\`: the page was answered with status ${statusCode}.`] }
    const videos: PageVideo[] = []
    const warnings: (string | undefined)[] = []
    let dataBytesLeft = MAX_DATA_BYTES
    // Sequentially, so that only one video is in memory at a time.
    for await (const file of getVideos(page, openPageMedia(page, tools, opened), warnings)) {
      const { bytes, mediaType, left } = file
      const { url, warning } = await tools.publish({ kind: 'video', mediaType, bytes, pageUrl })
      warnings.push(warning)
      if (url.startsWith('data:')) dataBytesLeft -= bytes.length
      if (dataBytesLeft < 0) {
        warnings.push(`${left + 1} more videos do not fit into the document: set the engine option \`media\`.`)
        break
      }
      // Two URLs may serve the same video.
      if (!videos.some((known) => known.url === url)) videos.push(describe(file, url))
    }
    return { fields: { video: videos[0]?.url ?? '', videos }, warnings, isPaid: true }
  },
}

function describe({ from, mediaType, isPlaylist = false, about }: VideoFile, url: string): PageVideo {
  const isInPage = from.startsWith('data:')
  return {
    url,
    sourceURL: isInPage ? 'data:' : from,
    kind: isPlaylist ? 'playlist' : 'file',
    provider: isInPage ? '' : new URL(from).hostname.replace(/^www\./, ''),
    ...about,
    mimeType: mediaType,
  }
}

/** A video, and the number of candidates that follow it. */
interface VideoFile extends ObtainedFile {
  readonly left: number
  /** Facts that the page states about it. */
  readonly about?: MediaFacts | undefined
}

const MAX_VIDEOS = 8

const isVideo = ({ mediaType }: MediaBytes): boolean => mediaTypes[mediaType].kind === 'video'

/**
 * Yields the videos of a page: the response itself, otherwise the videos of the best rank that has any, otherwise the
 * result of the host's `mediaExtractor`.
 *
 * @param warnings receives the failures of single videos
 * @throws TrawlError `SCRAPE_VIDEO_UNSUPPORTED_URL`, or the failure of the best candidate; the reason of the signal
 */
async function* getVideos(
  page: FetchedPage,
  tools: MediaSources,
  warnings: (string | undefined)[],
): AsyncGenerator<VideoFile, void> {
  const search = new MediaSearch(page, 'video', tools)
  const own = await search.own()
  if (own) {
    if (!isVideo(own)) {
      search.recordFailure({ url: page.url, why: `it is ${own.mediaType}` })
      throw search.toError()
    }
    yield { ...own, left: 0 }
    return
  }
  let given = 0
  for (const ofRank of groupByRank(search.found.filter(({ kind }) => kind !== 'audio'))) {
    for (const [index, { sources, about }] of ofRank.entries()) {
      if (given === MAX_VIDEOS) break
      const found = await search.get(sources, isVideo)
      if (!found) continue
      given += 1
      yield { ...found, about, left: ofRank.length - index - 1 }
    }
    if (given === 0) continue
    if (ofRank.length > given) warnings.push(...search.failures)
    if (ofRank.length > MAX_VIDEOS) warnings.push(`The page shows ${ofRank.length} videos: only ${given} are returned.`)
    return
  }
  const extracted = await search.extract()
  if (!extracted || !isVideo(extracted)) throw search.toError()
  yield { ...extracted, left: 0 }
}

function groupByRank(found: readonly FoundMedia[]): FoundMedia[][] {
  const ranks = new Map<string, FoundMedia[]>()
  for (const one of found) ranks.set(one.rank, [...(ranks.get(one.rank) ?? []), one])
  return [...ranks.values()]
}
