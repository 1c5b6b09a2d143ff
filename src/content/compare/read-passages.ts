import { type MarkdownBlock, readBlocks } from '../convert/markdown-blocks/markdown-blocks.js'
import { readItems, splitMarker } from '../convert/markdown-blocks/markdown-list.js'
import { stableText } from './stable-text.js'

/** The unit of comparison: a block of Markdown, a list item, or a table row. */
export interface Passage {
  readonly kind: MarkdownBlock['kind'] | 'item' | 'row'
  /** Its Markdown. */
  readonly text: string
  /** The text to compare; never empty. */
  readonly key: string
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
}

/** Splits a page's Markdown into passages, in order, without advertisements. */
export function readPassages(markdown: string): Passage[] {
  const passages: Passage[] = []
  let path: { readonly level: number; readonly text: string }[] = []
  let followsLabel = false
  for (const block of readBlocks(markdown)) {
    if (block.level !== undefined) path = path.filter(({ level }) => level < (block.level ?? 0))
    const headings = path.map(({ text }) => text)
    const isAdvertisement = isLabel(block.text) || isAdLink(block.text) || (followsLabel && isOnlyLinks(block.text))
    followsLabel = isLabel(block.text)
    if (!isAdvertisement)
      for (const { kind, text } of splitBlock(block)) {
        const key = keyOf(kind, text)
        if (key !== '') passages.push({ kind, text, key, headings })
      }
    if (block.level !== undefined) path = [...path, { level: block.level, text: readHeading(block.text) }]
  }
  return passages
}

function splitBlock({ kind, text }: MarkdownBlock): { kind: Passage['kind']; text: string }[] {
  if (kind === 'list') return readItems(text).map((item) => ({ kind: 'item', text: item.trimEnd() }))
  if (kind !== 'table') return [{ kind, text }]
  const [header = '', , ...rows] = text.split('\n')
  return [header, ...rows].map((row) => ({ kind: 'row', text: row }))
}

/** Returns the text to compare: without white space outside of code, and without the numbers of list items. */
function keyOf(kind: Passage['kind'], text: string): string {
  if (kind === 'code') return text.replace(/[ \t]+$/gm, '')
  const own = kind === 'item' ? splitMarker(text).content : text
  return stableText(own).replace(/\s+/g, '')
}

const readHeading = (text: string): string => text.replace(/^ {0,3}#{1,6}[ \t]*|[ \t]#+[ \t]*$/g, '').trim()

/** Labels of advertisements. */
const LABEL =
  /^\W*(?:advertisements?|sponsored(?: (?:by|content|links?|post))?|ad|anzeige|werbung|publicité|publicidad|pubblicità|advertentie|reklama)\W*$/i

const isLabel = (text: string): boolean => text.length < 60 && LABEL.test(text)

const isOnlyLinks = (text: string): boolean =>
  text.length < 2000 &&
  text
    .replace(/!\[[^\]\n]*\]\([^()\s]*(?:\s"[^"\n]*")?\)/g, '')
    .replace(/\[[^\]\n]*\]\([^()\s]*(?:\s"[^"\n]*")?\)/g, '')
    .trim() === ''

/** Link targets of advertising networks. */
const AD_ADDRESS =
  /\((?:https?:)?\/\/(?:[^/()\s]*\.)?(?:doubleclick|googlesyndication|googleadservices|adnxs|taboola|outbrain|criteo|adform|amazon-adsystem)\.[a-z]+\/|\([^()\s]*\/(?:ads?|adclick|adserver|banners?|sponsored|werbung)[/?.]/i

const isAdLink = (text: string): boolean => isOnlyLinks(text) && AD_ADDRESS.test(text)

/** The targets of links without their queries, which often identify visits. */
export const listPaths = (markdown: string): string[] =>
  Array.from(markdown.slice(0, 20_000).matchAll(/(^|[^!])\[[^\][\n]*\]\(([^()\s?#]+)/g), ([, , path = '']) => path)
