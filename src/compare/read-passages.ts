import { type MarkdownBlock, readBlocks } from '../convert/markdown-blocks/markdown-blocks.js'
import { readItems, splitMarker } from '../convert/markdown-blocks/markdown-list.js'
import { stableText } from './stable-text.js'

/** A part of a page that is compared as one: a block of its Markdown, an item of a list, a row of a table. */
export interface Passage {
  readonly kind: MarkdownBlock['kind'] | 'item' | 'row'
  /** As it is written. */
  readonly text: string
  /** What it is compared by; never empty. */
  readonly key: string
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
}

/** The passages of a page's Markdown, in order, without advertisements. */
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

function splitBlock({ kind, text }: MarkdownBlock): Pick<Passage, 'kind' | 'text'>[] {
  if (kind === 'list') return readItems(text).map((item) => ({ kind: 'item', text: item.trimEnd() }))
  if (kind !== 'table') return [{ kind, text }]
  const [header = '', , ...rows] = text.split('\n')
  return [header, ...rows].map((row) => ({ kind: 'row', text: row }))
}

/** White space means something in code alone; a list's numbers shift when one is put in. */
function keyOf(kind: Passage['kind'], text: string): string {
  if (kind === 'code') return text.replace(/[ \t]+$/gm, '')
  const own = kind === 'item' ? splitMarker(text).content : text
  return stableText(own).replace(/\s+/g, '')
}

const readHeading = (text: string): string => text.replace(/^ {0,3}#{1,6}[ \t]*|[ \t]#+[ \t]*$/g, '').trim()

/** What must be said where something is advertised. */
const LABEL =
  /^\W*(?:advertisements?|sponsored(?: (?:by|content|links?|post))?|ad|anzeige|werbung|publicité|publicidad|pubblicità|advertentie|reklama)\W*$/i

const isLabel = (text: string): boolean => text.length < 60 && LABEL.test(text)

const isOnlyLinks = (text: string): boolean =>
  text.length < 2000 &&
  text
    .replace(/!\[[^\]\n]*\]\([^()\s]*(?:\s"[^"\n]*")?\)/g, '')
    .replace(/\[[^\]\n]*\]\([^()\s]*(?:\s"[^"\n]*")?\)/g, '')
    .trim() === ''

/** Where clicks on advertisements are counted. */
const AD_ADDRESS =
  /\((?:https?:)?\/\/(?:[^/()\s]*\.)?(?:doubleclick|googlesyndication|googleadservices|adnxs|taboola|outbrain|criteo|adform|amazon-adsystem)\.[a-z]+\/|\([^()\s]*\/(?:ads?|adclick|adserver|banners?|sponsored|werbung)[/?.]/i

const isAdLink = (text: string): boolean => isOnlyLinks(text) && AD_ADDRESS.test(text)
