import type { MediaKind } from '../../../base/media/media-types.js'

/** An audio or video of a page, with the URLs that it is available at. */
export interface FoundMedia {
  /** Undefined if the page does not state the kind, so that the file must be examined. */
  readonly kind: MediaKind | undefined
  readonly rank: MediaRank
  /** In document order; never empty. */
  readonly sources: readonly MediaSource[]
  /** Facts that the page states about it. */
  readonly about?: MediaFacts
}

/** Facts about a medium, as the page states them. */
export interface MediaFacts {
  title?: string
  /** Absolute http or https URL of a picture of it. */
  thumbnail?: string
  /** Seconds. */
  duration?: number
  /** CSS pixels of the player, or of the picture where structured data states them. */
  width?: number
  height?: number
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
