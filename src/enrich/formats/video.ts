import { MAX_DATA_BYTES } from '../../media/publish-media.js'
import type { EnrichFormat } from '../format.js'
import { getVideos } from '../media/get-videos.js'

/** The films that the page shows, as they are. */
export interface VideoFormat {
  type: 'video'
}

/** What `video` fills. */
export interface VideoFields {
  /** The film that the page is about: the URL that the engine's `media` sink gave for it, a `data:` URI without one. */
  video: string
  /** All films, when the page shows several: in its order, at most 8. */
  videos?: string[]
}

/** @see docs/compatibility.md#sound-and-films */
export const video: EnrichFormat<VideoFormat, VideoFields> = {
  type: 'video',
  charges: () => 'video',
  needs: { media: () => true },
  async make(page, _, tools) {
    const { url: pageUrl, statusCode } = page
    if (statusCode >= 400) return { fields: {}, warnings: [`There is no \`video\`: the page answered ${statusCode}.`] }
    const videos: string[] = []
    const warnings: (string | undefined)[] = []
    let room = MAX_DATA_BYTES
    // One after the other: each is let go before the next one comes.
    for await (const { bytes, mediaType, left } of getVideos(page, tools, warnings)) {
      const { url, warning } = await tools.publish({ kind: 'video', mediaType, bytes, pageUrl })
      warnings.push(warning)
      if (url.startsWith('data:')) room -= bytes.length
      if (room < 0) {
        warnings.push(`${left + 1} more films do not fit into the document: give the engine \`media\`.`)
        break
      }
      // The same film may have two addresses.
      if (!videos.includes(url)) videos.push(url)
    }
    const [first = ''] = videos
    const fields = { video: first, ...(videos.length > 1 && { videos }) }
    return { fields, warnings, isPaid: true }
  },
}
