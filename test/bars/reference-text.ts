import { execFileSync } from 'node:child_process'
import type { Order, PackagedPdf } from './packaged-pdfs.js'

/** What `pdftotext` is told. */
const FLAGS: Readonly<Record<Order, readonly string[]>> = { reading: [], file: ['-raw'], page: ['-layout'] }

/** What `pdftotext` of poppler says of a file, without the heads and feet of its pages, and lines that it has wrong. */
export function readReference(
  path: string,
  { order = 'file', body, wrong }: Pick<PackagedPdf, 'order' | 'body' | 'wrong'>,
): string {
  const [top = 0, bottom = 0] = body ?? []
  const crop = body ? ['-r', '72', '-x', '0', '-y', `${top}`, '-W', '2000', '-H', `${bottom - top}`] : []
  const text = execFileSync('pdftotext', ['-enc', 'UTF-8', ...FLAGS[order], ...crop, path, '-'], {
    encoding: 'utf8',
    maxBuffer: 500_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = dropEdges(text.split('\f')).join('\n').split('\n')
  return lines.filter((line) => wrong?.test(line) !== true).join('\n')
}

/** Lines at the start and the end of a page that may be its head and foot. */
const EDGE = 3

/**
 * Pages without what repeats at their edges. A rule of its own, so that the reader's is not measured by itself: lines among
 * the first and last three of a page that are, but for numbers, on three pages of the file at the same end, and lone numbers.
 */
function dropEdges(pages: readonly string[]): string[] {
  const counts = new Map<string, number>()
  const edges = pages.map((page) => findEdges(page.split('\n')))
  for (const edge of edges) for (const said of new Set(edge.values())) counts.set(said, (counts.get(said) ?? 0) + 1)
  return pages.map((page, at) =>
    page
      .split('\n')
      .filter((_, index) => {
        const said = edges[at]?.get(index)
        return said === undefined || (said !== '#' && (counts.get(said) ?? 0) < 3)
      })
      .join('\n'),
  )
}

function findEdges(lines: readonly string[]): Map<number, string> {
  const filled = lines.flatMap((line, index) => (line.trim() === '' ? [] : index))
  const plain = (index: number): string =>
    (lines[index] ?? '')
      .trim()
      .replace(/\p{Nd}+/gu, '#')
      .replace(/^[ivxlc]+$/i, '#')
      .replace(/\s+/g, ' ')
  return new Map([...filled.slice(0, EDGE), ...filled.slice(-EDGE)].map((index) => [index, plain(index)]))
}
