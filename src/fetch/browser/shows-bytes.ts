/** The parts of a page that are searched for its body, and of its body for control characters. Characters. */
const START_LENGTH = 20_000
const SAMPLE_LENGTH = 2000
/** Compressed bytes are control characters to a tenth; a page with a larger share than this is none. */
const MAX_CONTROLS = 0.03

// oxlint-disable-next-line no-control-regex -- these never occur in text
const CONTROLS = /[\x01-\x08\x0b\x0e-\x1f\x7f]/g

/**
 * Tells whether a browser shows the bytes of a file as a page: it trusts a server that declares a PDF file or an image to be
 * HTML.
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
