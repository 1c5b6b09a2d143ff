import type { MediaKind } from '../../base/media/media-types.js'

/** Request to a {@link MediaExtractor}. */
export interface MediaQuestion {
  /** URL of the page after redirects, without credentials. */
  readonly url: string
  /** Kind of file to find. */
  readonly kind: MediaKind
  /** Maximum size of the file. Bytes. */
  readonly mostBytes: number
}

/**
 * Result of a {@link MediaExtractor}: the URL of the file, which trawl downloads under its own rules, or the file
 * itself.
 */
export type ExtractedMedia =
  | {
      /** http or https URL of an audio or video file, or of an HLS playlist. */
      readonly url: string
      /** Sent to the host of this URL only. */
      readonly headers?: Readonly<Record<string, string>>
    }
  | {
      /** The file itself, at most `mostBytes`. */
      readonly bytes: Uint8Array
    }

/**
 * Finds the audio or the video of pages whose markup does not name it, such as those of hosting sites. Called when a
 * page has no usable file of its own. Returns undefined for an unsupported page.
 *
 * An error that it throws fails the page; a `TrawlError` keeps its code.
 *
 * @param signal aborts when the page's time is over, or the engine is closed
 * @example
 * createEngine({ mediaExtractor: async ({ url, kind }) => ({ url: await askMyService(url, kind) }) })
 */
export type MediaExtractor = (question: MediaQuestion, signal: AbortSignal) => Promise<ExtractedMedia | undefined>
