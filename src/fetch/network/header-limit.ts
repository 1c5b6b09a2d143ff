import { TrawlError } from '../../errors.js'
import { withoutCredentials } from '../../url.js'

/**
 * What is wrong with an answer that has more headers than it may have; undefined for one that has not. Counted as HTTP/1.1
 * writes them: a colon, a space and the end of a line for each.
 *
 * @param headerBytes bytes, `limits.headerBytes`
 */
export function checkHeaderSize(
  headers: Iterable<readonly [name: string, value: string]>,
  headerBytes: number,
  url: URL,
): TrawlError | undefined {
  let bytes = 0
  for (const [name, value] of headers) bytes += name.length + value.length + 4
  if (bytes <= headerBytes) return undefined
  const message = `\`${url.host}\` sent more response headers than \`limits.headerBytes\` (${headerBytes} bytes)`
  return new TrawlError('SCRAPE_HEADERS_TOO_LARGE', message, { url: withoutCredentials(url).href })
}
