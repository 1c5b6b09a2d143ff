import { resolveUrl } from '../../url.js'
import { type MarkdownFacts, type MarkdownLine, marks, readMarkdownFacts, walkLines } from './markdown-facts.js'

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

/** Maximum words of a link at the edge of a page that its twin may lack, such as "Edit this page". */
const MAX_EDGE_WORDS = 8

/**
 * Compares a page with its twin. They agree if they have the same words in the same order; the same code blocks, exactly; every
 * link and image of the page is in the twin; and the twin has no less headings, items, table rows, inline code and strong text.
 * The twin may begin with the title and the description of the page, and lack short links at the edges of it. Linear.
 */
export function compareTwin({ url, body, pageUrl, markdown, about }: TwinPair): TwinVerdict {
  const text = readTwin(body)
  if (text === '') return { difference: 'It is empty.' }
  const twin = readMarkdownFacts(text, url)
  const page = readMarkdownFacts(markdown, pageUrl)
  const abouts = new Set(about.map((line) => readMarkdownFacts(line, pageUrl).lines.map(write).join(' ')))
  const lines = withoutEdgeLinks(page.lines, twin.lines)
  const difference =
    compareWords(lines, withoutAbout(twin.lines, lines, abouts)) ??
    compareCode(page, twin) ??
    compareMarkup(lines, twin.lines)
  if (difference !== undefined) return { difference }
  const absolute = resolveLinks(text, url)
  return absolute === undefined
    ? { difference: 'Its relative links cannot be told from code.' }
    : { markdown: absolute }
}

/** Decodes a twin, without its front matter. */
function readTwin(body: Uint8Array): string {
  const text = new TextDecoder().decode(body).replaceAll('\r\n', '\n').trim()
  if (!text.startsWith('---\n')) return text
  const end = `${text}\n`.indexOf('\n---\n', 3)
  return end === -1 ? text : text.slice(end + 5).trim()
}

const write = ({ words }: MarkdownLine): string => words.join(' ')

/** Drops short links before the first line that the twin has, and after the last one. */
function withoutEdgeLinks(lines: readonly MarkdownLine[], twin: readonly MarkdownLine[]): readonly MarkdownLine[] {
  const [first, last] = [twin[0], twin.at(-1)].map((line) => (line ? write(line) : ''))
  const mayLack = (line: MarkdownLine | undefined, edge = ''): boolean =>
    line !== undefined && line.isLink && line.words.length <= MAX_EDGE_WORDS && write(line) !== edge
  let from = 0
  let to = lines.length
  while (from < to && mayLack(lines[from], first)) from += 1
  while (to > from && mayLack(lines[to - 1], last)) to -= 1
  return lines.slice(from, to)
}

/** Drops the title and the description at the start of a twin, where the page does not begin with them. */
function withoutAbout(
  twin: readonly MarkdownLine[],
  [first]: readonly MarkdownLine[],
  abouts: ReadonlySet<string>,
): readonly MarkdownLine[] {
  const start = first ? write(first) : ''
  let from = 0
  for (let line = twin[0]; line && write(line) !== start && abouts.has(write(line)); line = twin[from]) from += 1
  return twin.slice(from)
}

function compareWords(page: readonly MarkdownLine[], twin: readonly MarkdownLine[]): string | undefined {
  const [own, other] = [page, twin].map((lines) => lines.flatMap(({ words }) => words))
  const at = own?.findIndex((word, index) => word !== other?.[index]) ?? -1
  if (at === -1 && own?.length === other?.length) return undefined
  const show = (words: readonly string[] = []): string =>
    `"${words
      .slice(at === -1 ? own?.length : Math.max(0, at - 3))
      .slice(0, 8)
      .join(' ')
      .slice(0, 100)}"`
  return `It has other words: ${show(other)}, the page ${show(own)}.`
}

function compareCode(page: MarkdownFacts, twin: MarkdownFacts): string | undefined {
  if (twin.isOpen || page.isOpen) return 'It has code without an end.'
  if (twin.code.length !== page.code.length)
    return `It has ${twin.code.length} code blocks, the page ${page.code.length}.`
  const other = page.code.findIndex(({ text, hasLanguage }, at) => {
    const same = twin.code[at]
    return same === undefined || same.text !== text || (hasLanguage && !same.hasLanguage)
  })
  return other === -1 ? undefined : `Its code block ${other + 1} is not that of the page.`
}

function compareMarkup(page: readonly MarkdownLine[], twin: readonly MarkdownLine[]): string | undefined {
  for (const mark of marks) {
    const [own, other] = [page, twin].map((lines) => lines.reduce((sum, line) => sum + line.marks[mark], 0))
    if ((other ?? 0) < (own ?? 0)) return `It has less markup than the page: ${mark}.`
  }
  const targets = new Set(twin.flatMap((line) => line.targets))
  const missing = page.flatMap((line) => line.targets).find((target) => !targets.has(target))
  return missing === undefined ? undefined : `It lacks a link of the page: ${missing.slice(0, 200)}`
}

/** Makes relative links absolute. @returns undefined if a line has relative links beside code that it cannot be told from */
function resolveLinks(markdown: string, url: string): string | undefined {
  const lines: string[] = []
  for (const { line, kind } of walkLines(markdown)) {
    const isRelative = kind === 'text' && resolvePart(line, url) !== line
    if (isRelative && (line.includes('``') || line.split('`').length % 2 === 0)) return undefined
    const resolved = isRelative ? resolveLine(line, url) : line
    lines.push(resolved)
  }
  return lines.join('\n')
}

/** Resolves the links of a line, outside of inline code. */
const resolveLine = (line: string, url: string): string =>
  line
    .split('`')
    .map((part, at) => (at % 2 === 0 ? resolvePart(part, url) : part))
    .join('`')

function resolvePart(text: string, url: string): string {
  const [first = '', ...others] = text.split('](')
  return others.reduce((all, part) => {
    const end = part.search(/[)\s]/)
    const href = end === -1 ? '' : part.slice(0, end)
    const resolved = href === '' || href.startsWith('<') ? undefined : resolveUrl(href, url)
    return `${all}](${resolved ? resolved.href + part.slice(end) : part}`
  }, first)
}
