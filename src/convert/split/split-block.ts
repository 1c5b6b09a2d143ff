import { TOKEN, type Weigh } from './estimate-tokens.js'
import { type MarkdownBlock, leadsIn, readBlocks } from '../markdown-blocks/markdown-blocks.js'
import { closesFence, readFence } from '../markdown-blocks/markdown-lines.js'
import { readItems, splitMarker } from '../markdown-blocks/markdown-list.js'
import { pack } from './pack.js'
import { splitLine, splitText } from './split-text.js'

// Items in items and quotes in quotes are taken apart so far; what lies deeper is cut like text.
const DEEPEST = 12

/**
 * A block in parts of at most `limit`: code at its lines, each part fenced again; a table at its rows, each part with its
 * header; a list at its items, a quote at its blocks, a text at its sentences. Only what is larger by itself than `limit`
 * (a line, a row, an item, a sentence) is cut inside. No part is empty, and a block that fits is one part.
 *
 * @param limit in tenths of a token
 */
export function splitBlock(block: MarkdownBlock, limit: number, weigh: Weigh, depth = 0): string[] {
  const { kind, text } = block
  if (weigh(text) <= limit) return [text]
  if (kind === 'code') return splitCode(text, limit, weigh)
  if (kind === 'table') return splitTable(text, limit, weigh)
  if (kind === 'lines') return packLines(text.split('\n'), limit, weigh)
  if (kind === 'list' && depth < DEEPEST) return splitList(text, limit, weigh, depth)
  if (kind === 'quote' && depth < DEEPEST) return splitQuote(text, limit, weigh, depth)
  return splitText(text, limit, weigh)
}

const packLines = (lines: readonly string[], limit: number, weigh: Weigh): string[] =>
  pack(lines, { separator: '\n', limit, weigh, split: (line) => splitLine(line, limit, weigh) })

function splitCode(text: string, limit: number, weigh: Weigh): string[] {
  const [opening = '', ...lines] = text.split('\n')
  const fence = readFence(opening) ?? '```'
  const isClosed = closesFence(lines.at(-1) ?? '', fence)
  // A language of a thousand words would leave no room for the code.
  const head = weigh(opening) * 4 > limit ? fence : opening
  const room = limit - weigh(head) - weigh(fence) - 2 * TOKEN
  if (room < limit / 4) return packLines([opening, ...lines], limit, weigh)
  return packLines(isClosed ? lines.slice(0, -1) : lines, room, weigh).map((part) => `${head}\n${part}\n${fence}`)
}

function splitTable(text: string, limit: number, weigh: Weigh): string[] {
  const [header = '', delimiter = '', ...rows] = text.split('\n')
  const head = `${header}\n${delimiter}`
  const room = limit - weigh(head) - TOKEN
  // A header that takes most of each part is no help to what is under it.
  if (room < limit / 2) return packLines([header, delimiter, ...rows], limit, weigh)
  const fits = (row: string): boolean => weigh(row) <= room
  return runsOf(rows, fits).flatMap((run) =>
    fits(run[0] ?? '')
      ? packLines(run, room, weigh).map((part) => `${head}\n${part}`)
      : run.flatMap((row) => splitText(row, limit, weigh)),
  )
}

/** The rows in runs of those that fit and those that do not. */
function runsOf(rows: readonly string[], fits: (row: string) => boolean): string[][] {
  const runs: string[][] = []
  let last: boolean | undefined
  for (const row of rows) {
    const now = fits(row)
    if (now === last) runs.at(-1)?.push(row)
    else runs.push([row])
    last = now
  }
  return runs
}

function splitList(text: string, limit: number, weigh: Weigh, depth: number): string[] {
  const items = readItems(text)
  // The rest of an item stands apart from the next one, or it would be read as its text.
  const isLoose = items.some((item, at) => (at < items.length - 1 && item.endsWith('\n')) || weigh(item) > limit)
  return pack(
    items.map((item) => item.trimEnd()),
    { separator: isLoose ? '\n\n' : '\n', limit, weigh, split: (item) => splitItem(item, limit, weigh, depth) },
  )
}

/** An item in parts: the first has its marker, the others are what the item holds. */
function splitItem(item: string, limit: number, weigh: Weigh, depth: number): string[] {
  const { marker, content } = splitMarker(item)
  const indent = (text: string): string => marker + text.replace(/\n(?!\n)/g, `\n${' '.repeat(marker.length)}`)
  const [first = '', ...rest] = splitBlocks(content, limit, (text) => weigh(indent(text)), depth + 1)
  return [indent(first), ...rest]
}

function splitQuote(text: string, limit: number, weigh: Weigh, depth: number): string[] {
  const quote = (content: string): string => content.replace(/^/gm, '> ').replace(/^> $/gm, '>')
  const content = text.replace(/^ {0,3}> ?/gm, '')
  return splitBlocks(content, limit, (part) => weigh(quote(part)), depth + 1).map(quote)
}

const splitBlocks = (markdown: string, limit: number, weigh: Weigh, depth: number): string[] =>
  packBlocks(readBlocks(markdown), limit, weigh, depth)

/** Blocks put together as far as they fit, the larger ones in parts. What leads in to a block stays with it. */
export function packBlocks(blocks: readonly MarkdownBlock[], limit: number, weigh: Weigh, depth = 0): string[] {
  const units: MarkdownBlock[] = []
  for (const block of blocks) {
    const last = units.at(-1)
    const both = `${last?.text}\n\n${block.text}`
    if (last !== undefined && leadsIn(last) && weigh(both) <= limit) units.splice(-1, 1, { kind: 'lines', text: both })
    else units.push(block)
  }
  return pack(
    units.map(({ text }) => text),
    {
      separator: '\n\n',
      limit,
      weigh,
      split: (text, index) => splitBlock(units[index] ?? { kind: 'text', text }, limit, weigh, depth),
    },
  )
}
