import { ownValue } from '../../../base/collections/own-value.js'

/** Tag names that begin a line of text. */
export const BREAKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote br caption center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section select summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/**
 * Extracts the text of HTML without building a tree: one paragraph for each block, white space collapsed.
 *
 * It is used for pages that are too large to parse, and takes linear time for any input.
 */
export function stripTags(html: string): string {
  const source = repairSource(html)
  const pieces: string[] = []
  let at = 0
  while (at < source.length) {
    const open = source.indexOf('<', at)
    if (open === -1) break
    pieces.push(oneLine(source.slice(at, open)))
    const end = endOfTag(source, open)
    if (end === undefined) return tidy(pieces)
    if (end === open + 1) pieces.push('<')
    else if (BREAKS.has(tagName(source, open))) pieces.push('\n')
    at = end
  }
  pieces.push(oneLine(source.slice(at)))
  return tidy(pieces)
}

// Only block elements start a line; line breaks in the source do not.
const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

/** Returns the offset after the tag at `<`; the next offset if it is not a tag; undefined if it never ends. */
function endOfTag(source: string, open: number): number | undefined {
  if (source.startsWith('<!--', open)) return past(source, '-->', open + 2)
  if (!/^[a-z/!?]$/i.test(source.charAt(open + 1))) return open + 1
  const name = tagName(source, open)
  const end = past(source, '>', open)
  // A custom element such as `style-x` is none of the two, and an element in SVG may end at once.
  const isRaw = /^<(?:script|style)[\s>]/i.test(source.slice(open, open + 10))
  if (end === undefined || !isRaw) return end
  const closing = name === 'script' ? /<\/script/gi : /<\/style/gi
  closing.lastIndex = end
  return closing.exec(source)?.index
}

function past(source: string, what: string, from: number): number | undefined {
  const at = source.indexOf(what, from)
  return at === -1 ? undefined : at + what.length
}

/** Reads the start of the name of the tag at `<`, in lower case: up to 16 letters and digits. */
export const tagName = (source: string, open: number): string =>
  /^<\/?([a-z][a-z0-9]{0,15})/i.exec(source.slice(open, open + 20))?.[1]?.toLowerCase() ?? ''

function tidy(pieces: readonly string[]): string {
  const text = pieces
    .join('')
    .replace(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi,
      (match, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return ownValue(ENTITIES, name.toLowerCase()) ?? match
        const codePoint = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
        return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : match
      },
    )
  return separateLines(text)
}

/** Trims each line, drops empty ones, and puts an empty line between the others. */
function separateLines(text: string): string {
  let separated = ''
  for (const line of text.split('\n')) {
    const trimmed = (line.includes('  ') ? line.replace(/ {2,}/g, ' ') : line).trim()
    if (trimmed !== '') separated += separated === '' ? trimmed : `\n\n${trimmed}`
  }
  return separated
}

/**
 * Rewrites two ends that the standard accepts and the tokenizer does not, so that the rest of the page is not lost:
 * `--!>` at the end of a comment, and `</script/` at the end of a script.
 *
 * @see https://html.spec.whatwg.org/multipage/parsing.html#comment-end-bang-state
 * @see https://html.spec.whatwg.org/multipage/parsing.html#script-data-end-tag-name-state
 */
function repairSource(source: string): string {
  const commented = source.includes('--!>') ? endComments(source) : source
  return RAW_TEXT_END.test(commented) ? commented.replace(new RegExp(RAW_TEXT_END, 'gi'), '</$1 ') : commented
}

/** Matches end tags of raw text elements; the tokenizer accepts only white space and `>` after their names. */
const RAW_TEXT_END = /<\/(script|style|title|textarea|xmp|iframe|noembed|noframes|noscript)\//i

/** Rewrites `--!>` at the end of comments to `-->`. Each end is searched once, so that it takes linear time. */
function endComments(source: string): string {
  const pieces: string[] = []
  let at = 0
  let usual = -2
  let odd = -2
  for (;;) {
    const open = source.indexOf('<!--', at)
    if (open === -1) break
    // The dashes that open a comment can also end it.
    const from = open + 2
    if (usual !== -1 && usual < from) usual = source.indexOf('-->', from)
    const fromOdd = open + 4
    if (odd !== -1 && odd < fromOdd) odd = source.indexOf('--!>', fromOdd)
    if (odd === -1) break
    if (usual !== -1 && usual < odd) {
      pieces.push(source.slice(at, usual + 3))
      at = usual + 3
    } else {
      pieces.push(source.slice(at, odd), '-->')
      at = odd + 4
    }
  }
  return pieces.join('') + source.slice(at)
}
