/**
 * Length of the start of a page in which `<body>` is searched for, and of the start of its body in which control
 * characters are counted. Characters.
 */
const START_LENGTH = 20_000
const SAMPLE_LENGTH = 2000
/**
 * Maximum share of control characters in text. In compressed data about a tenth of all bytes are control characters.
 */
const MAX_CONTROLS = 0.03

// oxlint-disable-next-line no-control-regex -- these never occur in text
const CONTROLS = /[\x01-\x08\x0b\x0e-\x1f\x7f]/g

/**
 * Tests whether a browser shows the bytes of a binary file as an HTML page. It does so when a server declares a PDF
 * file or an image to be HTML.
 */
export function isBinaryAsHtml(html: string): boolean {
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
