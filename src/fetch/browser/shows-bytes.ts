/** How much of a page is looked at. */
const START_LENGTH = 20_000
const SAMPLE_LENGTH = 2000
/** Control characters are a tenth of what is compressed; a page with so large a share of them is none. */
const MAX_CONTROLS = 0.03

// oxlint-disable-next-line no-control-regex -- what no text has in it
const CONTROLS = /[\x01-\x08\x0b\x0e-\x1f\x7f]/g

/**
 * Whether a browser shows the bytes of a file as if they were a page: it believes a server that calls a PDF file or a
 * picture HTML.
 */
export function showsBytes(html: string): boolean {
  const start = html.slice(0, START_LENGTH)
  const at = start.search(/<body[\s>]/i)
  if (at === -1) return false
  const text = start
    .slice(at)
    .replace(/^<body[^>]*>/i, '')
    .trimStart()
  if (/^%PDF-\d|^\{\\rtf\d|^%!PS-Adobe/.test(text)) return true
  const sample = text.slice(0, SAMPLE_LENGTH)
  const controls = sample.match(CONTROLS)?.length ?? 0
  return controls > 8 && controls > sample.length * MAX_CONTROLS
}
