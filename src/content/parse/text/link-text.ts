import { type ChildNode, type Element, Text } from '../../html/tree.js'
import { makeElement } from '../html/load-tree.js'
import { labelKey, type MarkdownMarks, NO_MARKS } from './markdown-marks.js'

// `[text](address)`, `[text][label]`, the same for images with `!` before it, `<https://…>` and a bare `https://…`. No part
// can match in two ways, so that matching takes linear time on any text.
const LINK =
  /(!?)\[([^[\]\n]{0,300})\](?:\(\s*(?:<([^<>\n]{1,2000})>|<?([^\s<>()]{1,2000}(?:\([^\s<>()]{0,200}\)[^\s<>()]{0,200}){0,3}))|\[([^[\]\n]{0,300})\])?|<(https?:\/\/[^\s<>]{1,2000})>|\b(https?:\/\/[^\s<>"`|\\^{}[\]]{1,2000})/g

// What follows the address of an image in a link: `[![text](image)](address)`.
const AROUND_IMAGE =
  /(?:\s{1,10}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?\s{0,10}\)?\]\(\s{0,10}(?:<([^<>\n]{1,2000})>|([^\s<>()]{1,2000}(?:\([^\s<>()]{0,200}\)[^\s<>()]{0,200}){0,3}))/y

/** Maximum number of links of a text. */
const MAX_LINKS = 20_000

/**
 * Removes punctuation that ends a sentence or closes a bracket from a URL.
 *
 * @see https://github.github.com/gfm/#autolinks-extension-
 */
function trimAddress(address: string): string {
  const isOpened = address.includes('(')
  let end = address.length
  for (; end > 0; end--) {
    const last = address.charAt(end - 1)
    if (last === ')' && isOpened) break
    if (!".,;:!?)'*_~".includes(last)) break
  }
  return address.slice(0, end)
}

/** A text with its links, and the addresses of its images. */
interface TextWithLinks {
  readonly content: readonly ChildNode[]
  /** Elements of a head that name the images. */
  readonly head: readonly Element[]
}

/**
 * Converts a text to nodes, with an `a` element around each Markdown link and each bare URL.
 *
 * @param marks positions of code, in which nothing is a link, and the URLs of link labels
 */
export function linkText(text: string, marks: MarkdownMarks = NO_MARKS): TextWithLinks {
  const content: ChildNode[] = []
  const images: string[] = []
  let at = 0
  let links = 0
  let code = 0
  for (const match of text.matchAll(LINK)) {
    while ((marks.code[code]?.[1] ?? Infinity) <= match.index) code += 1
    const isCode = (marks.code[code]?.[0] ?? Infinity) <= match.index
    const isImage = match[1] === '!'
    const [label, named] = [match[2] ?? '', addressOf(match, marks)]
    if (isCode || named === undefined) continue
    if (++links > MAX_LINKS) break
    if (isImage) images.push(named)
    const address = isImage ? addressAround(text, match) : named
    if (address === undefined || (!isImage && match[2] === '')) continue
    const from = match.index + (isImage ? 2 : match[7] === undefined ? 1 : 0)
    const shown = match[2] === undefined ? address : label
    if (from > at) content.push(new Text(text.slice(at, from)))
    content.push(makeElement('a', { href: address }, [new Text(shown)]))
    at = from + shown.length
  }
  if (at < text.length) content.push(new Text(text.slice(at)))
  return { content, head: images.map((href) => makeElement('link', { rel: 'image_src', href })) }
}

/** Returns the address of a link or an image; undefined for brackets that are none. */
function addressOf(match: RegExpExecArray, { labels }: MarkdownMarks): string | undefined {
  const [, , label = '', quoted, target, reference, marked, found] = match
  if (found !== undefined) return trimAddress(found)
  return (
    quoted ?? target ?? marked ?? labels.get(labelKey(reference === undefined || reference === '' ? label : reference))
  )
}

/** Returns the address of the link that an image is the text of. */
function addressAround(text: string, { 0: image, index }: RegExpExecArray): string | undefined {
  if (text.charAt(index - 1) !== '[') return undefined
  AROUND_IMAGE.lastIndex = index + image.length
  const [, quoted, target] = AROUND_IMAGE.exec(text) ?? []
  return quoted ?? target
}
