import type { MediaKind } from '../../../base/media/media-types.js'

/** An audio or video of a page, with the URLs that it is available at. */
export interface FoundMedia {
  /** Undefined if the page does not state the kind, so that the file must be examined. */
  readonly kind: MediaKind | undefined
  readonly rank: MediaRank
  /** In document order; never empty. */
  readonly sources: readonly MediaSource[]
}

/** One URL of a medium. */
export interface MediaSource {
  /** http, https or `data:`. */
  readonly url: string
  /** Media type that the page declares, in lower case and without parameters. */
  readonly mediaType?: string
}

/** Places on a page that name a medium, the one most surely about the page first. */
export const mediaRanks = [
  /** A player in the content. */
  'content',
  /** A description in JSON-LD, microdata or RDFa. */
  'described',
  /** A player elsewhere on the page. */
  'elsewhere',
  /** Open Graph, for embedding by others. */
  'shared',
  /** A Twitter card, for playing in other apps. */
  'streamed',
  /** An enclosure of a feed's entry. */
  'enclosed',
  /** A link to a file. */
  'linked',
  /** A muted video that plays by itself, as decoration. */
  'ornament',
] as const

/** One of {@link mediaRanks}. */
export type MediaRank = (typeof mediaRanks)[number]
