import type { FoundMedia, MediaFacts } from '../../content/extract/media/found-media.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import type { MediaBytes } from './ffmpeg.js'
import { mediaTypes } from '../../base/media/media-types.js'
import { MediaSearch, type ObtainedFile } from './media-search.js'
import type { MediaSources } from './page-media.js'

/** A video, and the number of candidates that follow it. */
export interface VideoFile extends ObtainedFile {
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
export async function* getVideos(
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
      const video = await search.get(sources, isVideo)
      if (!video) continue
      given += 1
      yield { ...video, about, left: ofRank.length - index - 1 }
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
