import { TOKEN, type Weigh } from './estimate-tokens.js'
import { type MarkdownBlock, isLeadIn, readBlocks } from '../markdown-blocks/markdown-blocks.js'
import { closesFence, readFence } from '../markdown-blocks/markdown-lines.js'
import { readItems, splitMarker } from '../markdown-blocks/markdown-list.js'
import { packTexts } from './pack.js'
import { splitLine, splitText } from './split-text.js'

// Maximum depth of nested items and quotes that are split; deeper ones are cut like text.
const MAX_DEPTH = 12

/**
 * Splits a block into parts of at most `limit`: code at lines, each part fenced again; a table at rows, each part with
 * the header; a list at items, a quote at blocks, a text at sentences. A line, row, item or sentence is only cut inside
 * if it exceeds `limit` by itself: a row between its cells. No part is empty, and a block that fits is one part.
 *
 * @param limit in tenths of a token
 */
export function splitBlock(block: MarkdownBlock, limit: number, weigh: Weigh, depth = 0): string[] {
  const { kind, text } = block
  if (weigh(text, limit) <= limit) return [text]
  if (kind === 'code') return splitCode(text, limit, weigh)
  if (kind === 'table') return splitTable(text, limit, weigh)
  if (kind === 'lines') return packLines(text.split('\n'), limit, weigh)
  if (kind === 'list' && depth < MAX_DEPTH) return splitList(text, limit, weigh, depth)
  if (kind === 'quote' && depth < MAX_DEPTH) return splitQuote(text, limit, weigh, depth)
  return splitText(text, limit, weigh)
}

const packLines = (lines: readonly string[], limit: number, weigh: Weigh): string[] =>
  packTexts(lines, { separator: '\n', limit, weigh, split: (line) => splitLine(line, limit, weigh) })

function splitCode(text: string, limit: number, weigh: Weigh): string[] {
  const [opening = '', ...lines] = text.split('\n')
  const fence = readFence(opening) ?? '```'
  const isClosed = closesFence(lines.at(-1) ?? '', fence)
  // An info string of a thousand words would leave no space for the code.
  const head = weigh(opening) * 4 > limit ? fence : opening
  const room = limit - weigh(head) - weigh(fence) - 2 * TOKEN
  const code = isClosed ? lines.slice(0, -1) : lines
  if (room < limit / 4) return splitIndented(code, limit, weigh)
  return packLines(code, room, weigh).map((part) => `${head}\n${part}\n${fence}`)
}

/** Splits code whose fence would leave no space: each part is indented instead. */
function splitIndented(code: readonly string[], limit: number, weigh: Weigh): string[] {
  const indent = (text: string): string => text.replace(/^/gm, '    ')
  return packLines(code, limit - TOKEN, (text, most) => weigh(indent(text), most))
    .filter((part) => part.trim() !== '')
    .map(indent)
}

function splitTable(text: string, limit: number, weigh: Weigh): string[] {
  const [header = '', delimiter = '', ...rows] = text.split('\n')
  const head = `${header}\n${delimiter}`
  const room = limit - weigh(head) - TOKEN
  // A header that takes most of each part does not help to read the rows.
  if (room < limit / 2)
    return packTexts([header, ...rows], {
      separator: '\n',
      limit,
      weigh,
      split: (row) => splitRow(row, limit, weigh),
    })
  const fits = (row: string): boolean => weigh(row, room) <= room
  return runsOf(rows, fits).flatMap((run) => {
    const parts = fits(run[0] ?? '') ? packLines(run, room, weigh) : run.flatMap((row) => splitRow(row, room, weigh))
    return parts.map((part) => `${head}\n${part}`)
  })
}

/**
 * Splits a row between its cells. Each part is a row: the cells of the parts before it are empty, so that the others stay in their
 * columns, unless the empty ones take most of a part. A cell is only cut inside if it exceeds `limit` by itself.
 */
function splitRow(row: string, limit: number, weigh: Weigh): string[] {
  const between = weigh(' | ')
  const parts: string[] = []
  let lead = '|'
  let left = 0
  let open: string[] = []
  const close = (): void => {
    if (open.length > 0) parts.push(`${lead} ${open.join(' | ')} |`)
    open = []
  }
  for (const [at, cell] of readCells(row).entries()) {
    // Each cell is weighed once: weighing the growing part would take quadratic time.
    const own = weigh(cell, limit) + between
    if (open.length === 0 || own > left) {
      close()
      lead = at < limit ? `|${' |'.repeat(at)}` : '|'
      left = limit - weigh(lead, limit) - between
      if (left < limit / 2) {
        lead = '|'
        left = limit - weigh(lead) - between
      }
    }
    if (own <= left) {
      open.push(cell)
      left -= own
    } else parts.push(...splitText(cell, left, weigh).map((piece) => `${lead} ${piece} |`))
  }
  close()
  return parts
}

/** Reads the cells of a row. A vertical bar after a backslash is text. */
const readCells = (row: string): string[] =>
  row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

/** Groups rows in runs that fit and runs that do not. */
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
  // The rest of an item needs a blank line before the next item, or that would be parsed as its text.
  const isLoose = items.some((item, at) => (at < items.length - 1 && item.endsWith('\n')) || weigh(item, limit) > limit)
  return packTexts(
    items.map((item) => item.trimEnd()),
    { separator: isLoose ? '\n\n' : '\n', limit, weigh, split: (item) => splitItem(item, limit, weigh, depth) },
  )
}

/** Splits an item: the first part has its marker, and the others are its content. */
function splitItem(item: string, limit: number, weigh: Weigh, depth: number): string[] {
  const { marker, content } = splitMarker(item)
  const indent = (text: string): string => marker + text.replace(/\n(?!\n)/g, `\n${' '.repeat(marker.length)}`)
  const [first = '', ...rest] = splitBlocks(content, limit, (text, most) => weigh(indent(text), most), depth + 1)
  return [indent(first), ...rest]
}

function splitQuote(text: string, limit: number, weigh: Weigh, depth: number): string[] {
  const quote = (content: string): string => content.replace(/^/gm, '> ').replace(/^> $/gm, '>')
  const content = text.replace(/^ {0,3}> ?/gm, '')
  return splitBlocks(content, limit, (part, most) => weigh(quote(part), most), depth + 1).map(quote)
}

const splitBlocks = (markdown: string, limit: number, weigh: Weigh, depth: number): string[] =>
  packBlocks(readBlocks(markdown), limit, weigh, depth)

/** Packs blocks as far as they fit, and splits larger ones. A lead-in stays with the block after it. */
export function packBlocks(blocks: readonly MarkdownBlock[], limit: number, weigh: Weigh, depth = 0): string[] {
  const units: MarkdownBlock[] = []
  for (const block of blocks) {
    const last = units.at(-1)
    const both = `${last?.text}\n\n${block.text}`
    if (last !== undefined && isLeadIn(last) && weigh(both, limit) <= limit)
      units.splice(-1, 1, { kind: 'lines', text: both })
    else units.push(block)
  }
  return packTexts(
    units.map(({ text }) => text),
    {
      separator: '\n\n',
      limit,
      weigh,
      split: (text, index) => splitBlock(units[index] ?? { kind: 'text', text }, limit, weigh, depth),
    },
  )
}
