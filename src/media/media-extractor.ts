import type { MediaKind } from './media-types.js'

/** What a {@link MediaExtractor} is asked for. */
export interface MediaQuestion {
  /** The page, as it answered: without a user name and a password. */
  readonly url: string
  /** The sound, or the film, that it is about. */
  readonly kind: MediaKind
  /** The most that is taken of it. Bytes. */
  readonly maxBytes: number
}

/** What it found: where the file is, which trawl then downloads by its own rules; or the file itself. */
export type ExtractedMedia =
  | {
      /** http or https; of a file of sound or of a film, or of an HLS playlist. */
      readonly url: string
      /** Sent to the host of this URL only. */
      readonly headers?: Readonly<Record<string, string>> | undefined
    }
  | {
      /** The file itself, of no more than `maxBytes`. */
      readonly bytes: Uint8Array
    }

/**
 * Finds the sound or the film of pages that do not say where it is, as those of hosting sites. It is asked when a page has none of its
 * own, or none that can be had. Undefined means that it knows no such page.
 *
 * What it throws fails the page; a `TrawlError` keeps its code.
 *
 * @param signal aborts when the page's time is over, or the engine is closed
 * @example
 * createEngine({ mediaExtractor: async ({ url, kind }) => ({ url: await askMyService(url, kind) }) })
 */
export type MediaExtractor = (question: MediaQuestion, signal: AbortSignal) => Promise<ExtractedMedia | undefined>
