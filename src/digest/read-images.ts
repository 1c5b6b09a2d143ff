import { messageOf, TrawlError } from '../errors.js'
import { findMediaType } from '../parse/media-type/identify-file.js'
import type { ImageParser } from '../parse/image-parser.js'
import type { MakeDigest } from './kept-digests.js'
import { takeInput } from './take-input.js'
import { untilAborted } from '../concurrency/until-aborted.js'

/**
 * Digests images by the text that the host's own parser reads in them. The parser is called each time: only it knows whether it
 * would return the same again.
 */
export function readImages(make: MakeDigest, parser: ImageParser | undefined): MakeDigest {
  if (!parser) return make
  return async (page, plan, signal) => {
    if (plan.parse.unread === 'all' || plan.parse.skipsImages) return make(page, plan, signal)
    const mediaType = await findMediaType(takeInput(page))
    if (!mediaType.startsWith('image/') || mediaType === 'image/svg+xml') return make(page, plan, signal)
    signal.throwIfAborted()
    // A copy, because the cache may hold the same bytes.
    const markdown = await readImage(parser, new Uint8Array(page.body), { mediaType, url: page.url, signal })
    const body = new TextEncoder().encode(markdown)
    return make({ ...page, body, headers: {}, contentType: 'text/markdown; charset=utf-8' }, plan, signal)
  }
}

async function readImage(parser: ImageParser, bytes: Uint8Array, facts: Parameters<ImageParser>[1]): Promise<string> {
  const { url, signal } = facts
  try {
    const markdown: unknown = await untilAborted(
      Promise.resolve().then(() => parser(bytes, facts)),
      signal,
    )
    if (typeof markdown !== 'string') throw new TypeError('it gave no text')
    return markdown
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof TrawlError) throw error
    const what = messageOf(error)
    throw new TrawlError('UNKNOWN_ERROR', `The engine's \`imageParser\` failed: ${what}`, { url, cause: error })
  }
}
