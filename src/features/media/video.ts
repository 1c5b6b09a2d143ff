import { MAX_DATA_BYTES } from '../../base/media/publish-media.js'
import type { EnrichFormat } from '../../kernel/enrich/format.js'
import { getVideos } from './get-videos.js'
import { type MediaTools, openPageMedia } from './page-media.js'

/** The videos that the page shows, in their original format. */
export interface VideoFormat {
  type: 'video'
}

/** Fields that `video` fills. */
interface VideoFields {
  /** The main video of the page: the URL that the engine's `media` sink returned, a `data:` URI without a sink. */
  video: string
  /** All videos when the page shows several, in page order; at most 8. */
  videos?: string[]
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
    const videos: string[] = []
    const warnings: (string | undefined)[] = []
    let dataBytesLeft = MAX_DATA_BYTES
    // Sequentially, so that only one video is in memory at a time.
    for await (const { bytes, mediaType, left } of getVideos(page, openPageMedia(page, tools, opened), warnings)) {
      const { url, warning } = await tools.publish({ kind: 'video', mediaType, bytes, pageUrl })
      warnings.push(warning)
      if (url.startsWith('data:')) dataBytesLeft -= bytes.length
      if (dataBytesLeft < 0) {
        warnings.push(`${left + 1} more videos do not fit into the document: set the engine option \`media\`.`)
        break
      }
      // Two URLs may serve the same video.
      if (!videos.includes(url)) videos.push(url)
    }
    const [first = ''] = videos
    const fields = { video: first, ...(videos.length > 1 && { videos }) }
    return { fields, warnings, isPaid: true }
  },
}
