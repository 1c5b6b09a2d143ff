import type { EnrichFormat } from '../../kernel/enrich/format.js'
import { type MediaTools, openPageMedia, type MediaSources } from './page-media.js'
import type { FoundMedia } from '../../content/extract/media/found-media.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import type { MediaBytes } from './ffmpeg.js'
import { mediaTypes } from '../../base/media/media-types.js'
import { MediaSearch } from './media-search.js'

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

/** An audio file, with a warning when it is not an MP3. */
interface AudioFile extends MediaBytes {
  readonly warning?: string
}

/**
 * Finds the audio of a page: the response itself, otherwise the audio that the page embeds, otherwise the audio track
 * of its videos, otherwise the result of the host's `mediaExtractor`. Converted to MP3 where possible.
 *
 * @throws TrawlError `SCRAPE_AUDIO_UNSUPPORTED_URL`, or the failure of the best candidate; the reason of the signal
 */
async function getAudio(page: FetchedPage, tools: MediaSources): Promise<AudioFile> {
  const search = new MediaSearch(page, 'audio', tools)
  const own = await search.own()
  const whole = own && (await convertToAudio(page.url, own, search, tools))
  if (whole) return whole
  const candidates = search.found.filter(({ rank }) => rank !== 'ornament' && !own)
  for (const { sources } of [...candidates].sort((a, b) => priorityOf(a) - priorityOf(b))) {
    for (const source of sources) {
      const file = await search.get([source], () => true)
      const converted = file && (await convertToAudio(source.url, file, search, tools))
      if (converted) return converted
    }
  }
  const extracted = own ? undefined : await search.extract()
  const made = extracted && (await convertToAudio(page.url, extracted, search, tools))
  if (made) return made
  throw search.toError()
}

/**
 * Ranks the main video of the page before an audio player elsewhere, which may be the notification sound of a chat
 * widget.
 */
function priorityOf({ kind, rank }: FoundMedia): number {
  if (kind === 'video') return rank === 'content' || rank === 'described' ? 1 : 3
  return rank === 'elsewhere' ? 2 : 0
}

/**
 * Converts a file to MP3. Without a converter an audio file is returned as it is; undefined, with a recorded failure,
 * when there is no audio.
 */
async function convertToAudio(
  url: string,
  file: MediaBytes,
  search: MediaSearch,
  { media }: MediaSources,
): Promise<AudioFile | undefined> {
  if (file.mediaType === 'audio/mpeg') return file
  const made = await media.toMp3(file)
  if (made.failure === undefined) return { bytes: made.bytes, mediaType: 'audio/mpeg' }
  const isAudio = mediaTypes[file.mediaType].kind === 'audio'
  if (made.failure === 'unwanted' && isAudio) return file
  if (made.failure === 'missing' && isAudio)
    return { ...file, warning: `\`audio\` is in its original format instead of MP3: ${made.why}.` }
  search.recordFailure({ url, why: made.why, code: FAILURE_CODES[made.failure], wastedBytes: file.bytes.length })
  return undefined
}

const FAILURE_CODES = {
  missing: 'SCRAPE_AUDIO_FFMPEG_REQUIRED',
  unwanted: 'SCRAPE_AUDIO_FFMPEG_REQUIRED',
  silent: undefined,
  broken: 'SCRAPE_FILE_BROKEN',
  late: 'SCRAPE_FILE_TOO_COMPLEX',
  large: 'SCRAPE_FILE_TOO_COMPLEX',
} as const
