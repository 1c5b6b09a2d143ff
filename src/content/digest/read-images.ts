import { messageOf, TrawlError } from '../../base/errors.js'
import { findMediaType } from '../parse/media-type/identify-file.js'
import type { ImageParser } from '../parse/image-parser.js'
import type { MakeDigest } from './digest-cache.js'
import { pickParserInput } from './digest-input.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'

/**
 * Digests images by the text that the engine's `imageParser` returns for them. The result is not cached, because the
 * parser may return another text the next time.
 */
export function readImages(make: MakeDigest, parser: ImageParser | undefined): MakeDigest {
  if (!parser) return make
  return async (page, plan, signal) => {
    if (plan.parse.asBase64 === 'all' || plan.parse.skipsImages) return make(page, plan, signal)
    const mediaType = await findMediaType(pickParserInput(page))
    if (!mediaType.startsWith('image/') || mediaType === 'image/svg+xml') return make(page, plan, signal)
    signal.throwIfAborted()
    // A copy, because the parser may change the bytes, and the cache may share them.
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
    if (typeof markdown !== 'string') throw new TypeError('it did not return a string')
    return markdown
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof TrawlError) throw error
    const what = messageOf(error)
    throw new TrawlError('UNKNOWN_ERROR', `The engine's \`imageParser\` failed: ${what}`, { url, cause: error })
  }
}
