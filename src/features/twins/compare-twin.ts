import { resolveUrl } from '../../base/url.js'
import { type TwinBlock, readBlocks } from './read-blocks.js'
import type { LinkTarget } from './read-inline.js'

/** A page as converted, and the Markdown that its site offers in its place. */
export interface TwinPair {
  /** URL of the twin after redirects. */
  readonly url: string
  /** The twin. */
  readonly body: Uint8Array
  /** URL of the page. */
  readonly pageUrl: string
  /** The page as converted to Markdown. */
  readonly markdown: string
  /** Title and description of the page. */
  readonly about: readonly string[]
}

/** The text of a twin that agrees with its page, or the first difference. */
export type TwinVerdict = { readonly markdown: string } | { readonly difference: string }

/** Characters that a twin may have beyond twice those of the page. */
const EXTRA_CHARACTERS = 4096
/** Maximum links at an edge of the page that its twin may lack. */
const MAX_EDGE_LINKS = 2
/** Texts of such links. */
const EDGE_LINK =
  /^(?:edit|view|show)(?: this| the)?(?: page| source){0,2}(?: on \w{1,20})?$|^(?:previous|prev|next)(?: page)?$/i

/**
 * Compares a page with its twin. Both are read into the same blocks: headings with their levels, items with their depths, tables
 * with their cells, code with its language, and text in which links, images, inline code and emphasis are marked. They agree if
 * all blocks are equal, character by character but for white space, and the links have the same targets. The twin may begin with
 * the title and the description of the page, which are left out, and lack links at the edges of it. Linear.
 */
export function compareTwin({ url, body, pageUrl, markdown, about }: TwinPair): TwinVerdict {
  const text = readTwin(body)
  if (text === '') return { difference: 'It is empty.' }
  const maxLength = 2 * markdown.length + EXTRA_CHARACTERS
  const tooLong = { difference: `It has more than ${maxLength} characters.` }
  if (text.length > maxLength) return tooLong
  if (hasControls(text) || hasControls(markdown)) return { difference: 'It has control characters.' }
  const [twin, page] = [readBlocks(text), readBlocks(markdown)]
  if (typeof twin === 'string') return { difference: twin }
  if (typeof page === 'string') return { difference: `The page cannot be compared: ${page}` }
  if (countTargets(twin) > countTargets(page)) return { difference: 'It has more links than the page.' }
  const shown = withoutEdgeLinks(page, twin)
  const own = withoutAbout(twin, shown[0], about)
  const difference = compareBlocks(shown, own, { pageUrl, url })
  if (difference !== undefined) return { difference }
  const result = takeTargets(text, own, { markdown, blocks: shown })
  return result.length > maxLength ? tooLong : { markdown: result }
}

/** Decodes a twin, without its front matter. */
function readTwin(body: Uint8Array): string {
  const text = new TextDecoder().decode(body).replaceAll('\r\n', '\n').trim()
  if (!text.startsWith('---\n')) return text
  const end = `${text}\n`.indexOf('\n---\n', 3)
  return end === -1 ? text : text.slice(end + 5).trim()
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if ((code < 32 && code !== 9 && code !== 10) || code === 127) return true
  }
  return false
}

const countTargets = (blocks: readonly TwinBlock[]): number =>
  blocks.reduce((sum, { inline }) => sum + inline.targets.length, 0)

const isAlike = (one: TwinBlock | undefined, other: TwinBlock | undefined): boolean =>
  one?.kind === other?.kind && one?.code === other?.code && one?.inline.text === other?.inline.text

/** Drops links of known kinds at the start and the end of the page that the twin does not have there. */
function withoutEdgeLinks(page: readonly TwinBlock[], twin: readonly TwinBlock[]): readonly TwinBlock[] {
  const mayLack = (block: TwinBlock | undefined, edge: TwinBlock | undefined): boolean =>
    block?.kind === ' text' && isEdgeLink(block) && !isAlike(block, edge)
  let from = 0
  let to = page.length
  while (from < MAX_EDGE_LINKS && mayLack(page[from], twin[0])) from += 1
  while (to > from && page.length - to < MAX_EDGE_LINKS && mayLack(page[to - 1], twin.at(-1))) to -= 1
  return page.slice(from, to)
}

/** Tests for one link, without a title, with a text of a known kind. */
function isEdgeLink({ inline: { text, targets } }: TwinBlock): boolean {
  const isLink = targets.length === 1 && text.startsWith('\u0001') && text.endsWith('\u0003\u0003')
  return isLink && EDGE_LINK.test(text.slice(1, -2).trim())
}

/** Drops the title and the description, each once, at the start of a twin, where the page does not begin with them. */
function withoutAbout(
  twin: readonly TwinBlock[],
  first: TwinBlock | undefined,
  about: readonly string[],
): readonly TwinBlock[] {
  const left = new Set(about.map((line) => line.trim().split(/\s+/).join(' ')))
  let from = 0
  for (let block = twin[0]; block && !isAlike(block, first); block = twin[from]) {
    const text = block.kind === ' quote' ? twin[from + 1] : block
    const isText = text?.kind === ' text' || text?.kind === '> text' || text?.kind.startsWith(' heading ')
    if (!text || !isText || text.inline.targets.length > 0 || !left.delete(text.inline.text)) break
    from += text === block ? 1 : 2
  }
  return twin.slice(from)
}

interface Addresses {
  readonly pageUrl: string
  readonly url: string
}

function compareBlocks(page: readonly TwinBlock[], twin: readonly TwinBlock[], urls: Addresses): string | undefined {
  const at = page.findIndex((block, index) => !isAlike(block, twin[index]))
  if (at !== -1 || twin.length !== page.length) {
    const index = at === -1 ? page.length : at
    return `It differs: ${describe(twin[index])}, the page ${describe(page[index])}.`
  }
  for (const [index, { inline }] of page.entries())
    for (const [number, target] of inline.targets.entries()) {
      const other = twin[index]?.inline.targets[number]
      if (!other || !isSameTarget(target, other, urls))
        return `It lacks a link of the page: ${target.href.slice(0, 200)}`
    }
  return undefined
}

function describe(block: TwinBlock | undefined): string {
  if (!block) return 'ends'
  const text = block.code ?? block.inline.text
  return `has ${block.kind.trim()} "${text.replaceAll(/[^\P{C}\n]/gu, '').slice(0, 80)}"`
}

/** Compares the targets of links: without the ending of a file, because twins link to twins. */
function isSameTarget(page: LinkTarget, twin: LinkTarget, { pageUrl, url }: Addresses): boolean {
  const [own, other] = [resolveUrl(page.href, pageUrl), resolveUrl(twin.href, url)]
  if (!own || !other) return page.href === twin.href
  if (own.href === other.href) return true
  if (page.isImage || own.protocol !== other.protocol || !own.protocol.startsWith('http')) return false
  return (
    own.host === other.host && own.search === other.search && own.hash === other.hash && pathOf(own) === pathOf(other)
  )
}

const pathOf = ({ pathname }: URL): string =>
  pathname.replace(/\/index(?:\.(?:html?|md))?$|\.(?:html?|md)$|\/$/, '').replace(/\.html$/, '')

/** Writes the twin with the targets of the page, which are absolute and have passed the rules of its conversion. */
function takeTargets(
  text: string,
  twin: readonly TwinBlock[],
  page: { readonly markdown: string; readonly blocks: readonly TwinBlock[] },
): string {
  const parts: string[] = []
  const [first] = twin
  // The start of its line: a mark of an item or a heading stands before the text.
  let from = first ? text.lastIndexOf('\n', first.from - 1) + 1 : 0
  for (const [index, { inline, placeOf }] of twin.entries())
    for (const [number, target] of inline.targets.entries()) {
      const own = page.blocks[index]
      const source = own?.inline.targets[number]
      if (!own || !source || target.isBare) continue
      const href = page.markdown.slice(own.placeOf(source.from), own.placeOf(source.to))
      parts.push(text.slice(from, placeOf(target.from)), href)
      from = placeOf(target.to)
    }
  parts.push(text.slice(from))
  return parts.join('').trim()
}
