import type { MediaKind } from '../../media/media-types.js'

/** One thing to hear or to see on a page, by the addresses that it can be had at. */
export interface FoundMedia {
  /** Undefined where only the file itself can tell. */
  readonly kind: MediaKind | undefined
  readonly rank: MediaRank
  /** In the order of the page; never none. */
  readonly sources: readonly MediaSource[]
}

/** An address of it. */
export interface MediaSource {
  /** http, https or `data:`. */
  readonly url: string
  /** What the page says that it is, in lower case and without parameters. */
  readonly mediaType?: string
}

/** How a page shows something, the surest sign first that it is about it. */
export const mediaRanks = [
  /** A player in the content. */
  'content',
  /** JSON-LD, microdata, RDFa: the page describes it. */
  'described',
  /** A player somewhere else on the page. */
  'elsewhere',
  /** What it gives others to embed: Open Graph. */
  'shared',
  /** What others may stream in their own player: Twitter cards. */
  'streamed',
  /** What an entry of a feed comes with. */
  'enclosed',
  /** A link to a file. */
  'linked',
  /** A film without sound that plays by itself, over and over. */
  'ornament',
] as const

/** One of {@link mediaRanks}. */
export type MediaRank = (typeof mediaRanks)[number]
