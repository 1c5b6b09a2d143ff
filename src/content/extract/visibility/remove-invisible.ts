import type { HtmlTree } from '../../parse/parser.js'
import { type Element, isElement, walk } from '../../html/tree.js'

/**
 * Removes invisible content from the text that language models get: what `hidden` and `display: none` hide, and also
 * text without size or colour, or outside of the window. Classes are known by name only, because style sheets are not
 * read.
 *
 * Hidden text of this kind is mostly meant for language models (prompt injection).
 */
export function removeInvisible({ root, $ }: HtmlTree): void {
  const found: Element[] = []
  walk(root, (node) => {
    if (!isElement(node)) return true
    if (!isInvisible(node.attribs)) return true
    found.push(node)
    return false
  })
  for (const element of found) $(element).remove()
}

const SMALL = '0*(?:0|\\.0\\d*)(?:px|pt|r?em|%)?'

const INVISIBLE: readonly RegExp[] = [
  new RegExp(`(?:^|;)\\s*font-size\\s*:\\s*${SMALL}\\s*(?:!important\\s*)?(?:;|$)`, 'i'),
  /(?:^|;)\s*font-size\s*:\s*1px/i,
  /(?:^|;)\s*opacity\s*:\s*0?(?:\.0\d*)?\s*(?:!important\s*)?(?:;|$)/i,
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i,
  /(?:^|;)\s*text-indent\s*:\s*-\d{3,}/i,
  /(?:^|;)\s*(?:left|right|top|margin-left|margin-top)\s*:\s*-\d{4,}(?:px)?/i,
  /(?:^|;)\s*clip(?:-path)?\s*:\s*(?:rect\(\s*[01](?:px)?[\s,]|inset\(\s*(?:50|100)%)/i,
  /(?:^|;)\s*color\s*:\s*transparent/i,
]

/** Class names that all common style sheets reserve for screen readers. */
const SCREEN_READER_ONLY =
  /(?:^|\s)(?:sr-only|visually-hidden|visuallyhidden|screen-reader-text|a11y-hidden|offscreen)(?:\s|$)/

function isInvisible({ style, hidden, class: className }: Readonly<Record<string, string | undefined>>): boolean {
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true
  if (className !== undefined && SCREEN_READER_ONLY.test(className)) return true
  if (style === undefined || style === '') return false
  return INVISIBLE.some((pattern) => pattern.test(style)) || hasBackgroundColour(style)
}

/** True for text in the colour of its background, if one style sets both. */
function hasBackgroundColour(style: string): boolean {
  const colour = colourOf(/(?:^|;)\s*color\s*:\s*([^;!]+)/i.exec(style)?.[1])
  const ground = colourOf(/(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]+)/i.exec(style)?.[1])
  return colour !== undefined && colour === ground
}

/** Normalizes a colour. */
function colourOf(value: string | undefined): string | undefined {
  const text = value?.trim().toLowerCase().replace(/\s+/g, '')
  if (text === undefined) return undefined
  if (text === 'white') return 'ffffff'
  const hex = /^#([\da-f]{6}|[\da-f]{3})/.exec(text)?.[1]
  if (hex !== undefined) return hex.length === 3 ? hex.replace(/./g, '$&$&') : hex
  const numbers = /^rgba?\((\d+),(\d+),(\d+)/.exec(text)
  return numbers
    ? numbers
        .slice(1)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')
    : text
}
