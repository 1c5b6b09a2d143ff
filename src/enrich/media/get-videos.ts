import type { FoundMedia } from '../../extract/media/found-media.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import type { MediaBytes } from '../../media/ffmpeg.js'
import { mediaTypes } from '../../media/media-types.js'
import type { EnrichTools } from '../format.js'
import { MediaSearch } from './media-search.js'

/** A film, and how many more there may be. */
export interface VideoFile extends MediaBytes {
  readonly left: number
}

const MAX_FILMS = 8

const isFilm = ({ mediaType }: MediaBytes): boolean => mediaTypes[mediaType].kind === 'video'

/**
 * The films of a page, one after the other: the file that it is, else those of the surest place where it shows any, else what the
 * host's own extractor finds.
 *
 * @param warnings takes what went wrong with some of them
 * @throws TrawlError `SCRAPE_VIDEO_UNSUPPORTED_URL`, or what stood in the way of the film that there is; the signal's reason
 */
export async function* getVideos(
  page: FetchedPage,
  tools: EnrichTools,
  warnings: (string | undefined)[],
): AsyncGenerator<VideoFile, void> {
  const search = new MediaSearch(page, 'video', tools)
  const own = await search.own()
  if (own) {
    if (!isFilm(own)) {
      search.note(page.url, `it is ${own.mediaType}`)
      throw search.fault()
    }
    yield { ...own, left: 0 }
    return
  }
  let given = 0
  for (const place of groupByRank(search.found.filter(({ kind }) => kind !== 'audio'))) {
    for (const [index, { sources }] of place.entries()) {
      if (given === MAX_FILMS) break
      const film = await search.get(sources, isFilm)
      if (!film) continue
      given += 1
      yield { ...film, left: place.length - index - 1 }
    }
    if (given === 0) continue
    if (place.length > given) warnings.push(...search.troubles)
    if (place.length > MAX_FILMS) warnings.push(`The page shows ${place.length} films: ${given} are given.`)
    return
  }
  const extracted = await search.extract()
  if (!extracted || !isFilm(extracted)) throw search.fault()
  yield { ...extracted, left: 0 }
}

function groupByRank(found: readonly FoundMedia[]): FoundMedia[][] {
  const places = new Map<string, FoundMedia[]>()
  for (const one of found) places.set(one.rank, [...(places.get(one.rank) ?? []), one])
  return [...places.values()]
}
