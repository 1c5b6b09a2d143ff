import type { FoundMedia } from '../../extract/media/found-media.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import type { MediaBytes } from '../../media/ffmpeg.js'
import { mediaTypes } from '../../media/media-types.js'
import type { EnrichTools } from '../format.js'
import { MediaSearch } from './media-search.js'

/** Sound, and why it is not as it should be. */
export interface AudioFile extends MediaBytes {
  readonly warning?: string
}

/**
 * The sound of a page: the file that it is, else what it shows to be heard, else the sound of its films, else what the host's own
 * extractor finds. As MP3 where that can be made.
 *
 * @throws TrawlError `SCRAPE_AUDIO_UNSUPPORTED_URL`, or what stood in the way of the sound that there is; the signal's reason
 */
export async function getAudio(page: FetchedPage, tools: EnrichTools): Promise<AudioFile> {
  const search = new MediaSearch(page, 'audio', tools)
  const own = await search.own()
  const whole = own && (await makeAudible(page.url, own, search, tools))
  if (whole) return whole
  const heard = search.found.filter(({ rank }) => rank !== 'ornament' && !own)
  for (const { sources } of [...heard].sort((a, b) => orderOf(a) - orderOf(b))) {
    for (const source of sources) {
      const file = await search.get([source], () => true)
      const audible = file && (await makeAudible(source.url, file, search, tools))
      if (audible) return audible
    }
  }
  const extracted = own ? undefined : await search.extract()
  const audible = extracted && (await makeAudible(page.url, extracted, search, tools))
  if (audible) return audible
  throw search.fault()
}

/** A film that the page is about stands before a player of sound somewhere else, which may well be the ring of a chat. */
function orderOf({ kind, rank }: FoundMedia): number {
  if (kind === 'video') return rank === 'content' || rank === 'described' ? 1 : 3
  return rank === 'elsewhere' ? 2 : 0
}

/** What the caller gets of a file: an MP3, or sound as it is where nothing makes one of it; undefined, with a note, for neither. */
async function makeAudible(
  url: string,
  file: MediaBytes,
  search: MediaSearch,
  { media }: EnrichTools,
): Promise<AudioFile | undefined> {
  if (file.mediaType === 'audio/mpeg') return file
  const made = await media.toMp3(file)
  if (made.trouble === undefined) return { bytes: made.bytes, mediaType: 'audio/mpeg' }
  const isSound = mediaTypes[file.mediaType].kind === 'audio'
  if (made.trouble === 'unwanted' && isSound) return file
  if (made.trouble === 'missing' && isSound)
    return { ...file, warning: `\`audio\` is no MP3, but as it came: ${made.why}.` }
  search.note(url, made.why, TROUBLES[made.trouble], file.bytes.length)
  return undefined
}

const TROUBLES = {
  missing: 'SCRAPE_AUDIO_FFMPEG_REQUIRED',
  unwanted: 'SCRAPE_AUDIO_FFMPEG_REQUIRED',
  silent: undefined,
  broken: 'SCRAPE_FILE_BROKEN',
  late: 'SCRAPE_FILE_TOO_COMPLEX',
  large: 'SCRAPE_FILE_TOO_COMPLEX',
} as const
