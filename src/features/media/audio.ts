import type { EnrichFormat } from '../../kernel/enrich/format.js'
import { getAudio } from './get-audio.js'
import { type MediaTools, openPageMedia } from './page-media.js'

/** The audio of the page: from its player, its video or its podcast episode. */
export interface AudioFormat {
  type: 'audio'
}

/** Fields that `audio` fills. */
interface AudioFields {
  /**
   * The audio, as MP3 when ffmpeg is available or the file is one already, otherwise in its original format: the URL
   * that the engine's `media` sink returned, a `data:` URI without a sink.
   */
  audio: string
}

/** @see docs/compatibility/documents.md#audio-and-video */
export const audio: EnrichFormat<AudioFormat, AudioFields> = {
  type: 'audio',
  traits: ['file'],
  charges: () => 'audio',
  needs: { media: () => true },
  async produce(page, _, tools, opened: MediaTools) {
    const { url: pageUrl, statusCode } = page
    if (statusCode >= 400)
      return { fields: {}, warnings: [`There is no \`audio\`: the page was answered with status ${statusCode}.`] }
    const { bytes, mediaType, warning: shortfall } = await getAudio(page, openPageMedia(page, tools, opened))
    const { url, warning } = await tools.publish({ kind: 'audio', mediaType, bytes, pageUrl })
    return { fields: { audio: url }, warnings: [shortfall, warning], isPaid: true }
  },
}
