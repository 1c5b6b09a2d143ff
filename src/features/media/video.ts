import { MAX_DATA_BYTES } from '../../base/media/publish-media.js'
import type { EnrichFormat } from '../../kernel/enrich/format.js'
import { getVideos, type VideoFile } from './get-videos.js'
import { type MediaTools, openPageMedia } from './page-media.js'

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
