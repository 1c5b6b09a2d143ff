import type { EnrichFormat } from '../format.js'
import { getAudio } from '../media/get-audio.js'

/** The sound of the page: of its player, its film, its podcast episode. */
export interface AudioFormat {
  type: 'audio'
}

/** What `audio` fills. */
export interface AudioFields {
  /**
   * The sound as MP3, where there is ffmpeg or it is one already; otherwise the file of sound as it came: the URL that the engine's
   * `media` sink gave for it, a `data:` URI without one.
   */
  audio: string
}

/** @see docs/compatibility.md#sound-and-films */
export const audio: EnrichFormat<AudioFormat, AudioFields> = {
  type: 'audio',
  charges: () => 'audio',
  needs: { media: () => true },
  async make(page, _, tools) {
    const { url: pageUrl, statusCode } = page
    if (statusCode >= 400) return { fields: {}, warnings: [`There is no \`audio\`: the page answered ${statusCode}.`] }
    const { bytes, mediaType, warning: shortfall } = await getAudio(page, tools)
    const { url, warning } = await tools.publish({ kind: 'audio', mediaType, bytes, pageUrl })
    return { fields: { audio: url }, warnings: [shortfall, warning], isPaid: true }
  },
}
