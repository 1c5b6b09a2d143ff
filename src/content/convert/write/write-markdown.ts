import type { ExtractedPage } from '../../extract/extracted-page.js'
import { CharacterBudget, limitWarning } from '../../html/document-limits.js'
import type { ParsedPage } from '../../parse/parser.js'
import { cutText } from '../../../base/text/cut-text.js'
import type { ConvertSettings } from '../format.js'
import type { ViewKind, ViewNode } from '../markdown-view.js'
import { readContent, type SourcePage } from '../read/read-content.js'
import { ALL_PARTS, type WrittenParts } from '../written-parts.js'
import { type NodeWriter, writeChildren } from './write-view.js'
import type { WriterSettings } from './writer.js'
import { breaksAround, linkTarget, writers } from './writers.js'

/**
 * Writes a page's content as Markdown. A file that is Markdown already, or shown as plain text, is returned unchanged.
 *
 * Markdown that is longer than {@link ExtractedPage.limits} is written without the targets, marks and repeated cells that
 * exceed it.
 */
export function writeMarkdown(
  content: ExtractedPage,
  settings: ConvertSettings,
  { parts = ALL_PARTS, budget: given, warn }: MarkdownOptions = {},
): string {
  const { page, tree, limits } = content
  if (page.markdown !== undefined) return page.markdown
  const write = (budget: CharacterBudget): { text: string; list: string } => {
    const view = readContent(tree.root, toSourcePage(page), parts)
    const references = parts.links === 'reference' ? new References(view) : undefined
    const written = writeChildren(view, createWriter({ ...settings, ...parts, budget }, references))
    view.unlink()
    return { text: written.replace(/^[\t\r\n]+/, '').trimEnd(), list: references?.list() ?? '' }
  }
  // Several Markdown texts with one budget have one limit and one warning.
  if (given) return join(write(given))
  const { part, added } = limits
  // What the page's own texts leave of the limit is known afterwards.
  const whole = new CharacterBudget(part)
  const first = join(write(whole))
  if (whole.leftOut === 0 && first.length <= part) return first
  const budget = new CharacterBudget(added)
  const written = write(budget)
  if (budget.leftOut > 0) warn?.(limitWarning(budget.leftOut, MISSING_MARKUP, part))
  const markdown = join(written)
  if (markdown.length <= part) return markdown
  // No number in the text is without its target below it.
  const room = part - written.list.length - LINES_BETWEEN.length
  if (written.list !== '' && room < part / 2)
    return writeMarkdown(content, settings, { parts: { ...parts, links: 'inline' }, warn })
  const end = written.text.lastIndexOf('\n', room)
  const text = end > room / 2 ? written.text.slice(0, end) : cutText(written.text, room)
  const leftOut = written.text.length - text.length
  warn?.(limitWarning(leftOut, 'characters at the end of the Markdown were left out', part))
  return join({ text, list: written.list })
}

const LINES_BETWEEN = '\n\n'

const join = ({ text, list }: { readonly text: string; readonly list: string }): string =>
  list === '' ? text : `${text}${LINES_BETWEEN}${list}`

/** Parts of Markdown that it is without beyond its budget. */
export const MISSING_MARKUP = 'targets of links, marks and repeated cells are missing in the Markdown'

interface MarkdownOptions {
  /** Form of links and images. @default all of them, with their URLs */
  readonly parts?: WrittenParts
  /** Characters that may be added to the texts. @default those of the limits */
  readonly budget?: CharacterBudget
  /** Receives a sentence for each kind of thing that was left out. */
  readonly warn?: (warning: string) => void
}

/** Returns the page of a content, as its readers need it. */
function toSourcePage({ tree, url, baseUrl }: ParsedPage): SourcePage {
  const addresses = [url, baseUrl].map((address) => address.split('#', 1)[0] ?? '')
  return {
    page: tree.root,
    isOnPage: (href) => {
      const at = href.indexOf('#')
      return at !== -1 && addresses.some((address) => address.length === at && href.startsWith(address))
    },
  }
}

/** Returns the alternative text of a written image. */
const altIn = (written: string, { details }: ViewNode): string =>
  written.slice(2, Math.max(2, written.length - linkTarget(details).length - ']('.length - 1))

/** Nodes of which the text is left when the budget is spent: they add addresses, signs and indentation. */
const OPTIONAL: ReadonlySet<ViewKind> = new Set<ViewKind>(['link', 'image', 'item', 'quote', 'note'])

function createWriter(settings: WriterSettings, references: References | undefined): NodeWriter {
  const { budget } = settings
  return {
    breaksAround,
    write: (content, node) => {
      const cited = node.kind === 'link' || node.kind === 'image' ? references : undefined
      const plain = writers[node.kind](content, node, settings)
      const written = cited ? cited.cite(plain, node) : plain
      // The characters of cells are counted where their table is written.
      if (node.kind === 'table') return written
      const added = written.length - content.length
      if (!OPTIONAL.has(node.kind)) budget.spend(node.kind === 'cell' ? added : Math.max(0, added))
      else if (!budget.take(added)) return node.kind === 'image' ? altIn(written, node) : content.trim()
      return written
    },
  }
}

/** `[1]`; and `[` or `[1` at the end of a text. */
const CITATION = /\\.|\[(?=\s*\d+\s*\])/gs
const OPEN_CITATION = /\\.|\[(?=\s*(?:\d+\s*)?(?:\]|$))/gs
const NUMBER = /\[\s*(\d{1,9})\s*\]/g

/**
 * Converts links and images to numbered citations, `[text][1]` and `![text][2]`, and collects the list of their URLs. A
 * URL has one number, however often it occurs, and the first title that it gets. Numbers follow the order of the text.
 *
 * @see https://spec.commonmark.org/0.31.2/#full-reference-link
 */
class References {
  readonly #numbers = new Map<string, number>()
  readonly #titles = new Map<string, string>()
  /** Numbers in brackets inside a formula, where nothing can be escaped. */
  readonly #taken = new Set<number>()
  #last = 0

  /** Escapes the texts of a view that would be parsed as citations. @param view the view before it is written */
  constructor(view: ViewNode) {
    const texts: { readonly text: ViewNode; readonly next: ViewNode | undefined }[] = []
    let isReferring = false
    const nodes = [view]
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if (node.kind === 'link' || node.kind === 'image') isReferring = true
      else if (node.kind === 'inlineText' || node.kind === 'blockText')
        for (const [, number] of node.nodeValue.matchAll(NUMBER)) this.#taken.add(Number(number))
      for (const [at, child] of node.childNodes.entries()) {
        if (child.kind === 'text') texts.push({ text: child, next: node.childNodes[at + 1] })
        else nodes.push(child)
      }
    }
    if (isReferring) for (const { text, next } of texts) text.nodeValue = escapeCitations(text, next)
  }

  /** Replaces the URL of a written link or image by its number. */
  cite(written: string, { details }: ViewNode): string {
    const inPlace = `(${linkTarget(details)})`
    const { href = '', title } = details
    if (!written.endsWith(inPlace)) return written
    if (title !== undefined && !this.#titles.has(href)) this.#titles.set(href, title)
    return `${written.slice(0, -inPlace.length)}[${this.#numberOf(href)}]`
  }

  /** Writes the list of references, one per line. */
  list(): string {
    return Array.from(this.#numbers, ([href, number]) => {
      const title = this.#titles.get(href)
      const target = linkTarget(title === undefined ? { href } : { href, title })
      return `[${number}]: ${href === '' ? `<>${target}` : target}`
    }).join('\n')
  }

  #numberOf(href: string): number {
    const known = this.#numbers.get(href)
    if (known !== undefined) return known
    do this.#last += 1
    while (this.#taken.has(this.#last))
    this.#numbers.set(href, this.#last)
    return this.#last
  }
}

/** Escapes numbers in brackets in a text, alone or together with the text that follows. */
function escapeCitations({ nodeValue }: ViewNode, next: ViewNode | undefined): string {
  const goesOn = next?.kind === 'text' || next?.kind === 'break'
  const escaped = nodeValue.replace(goesOn ? OPEN_CITATION : CITATION, (found) => (found === '[' ? '\\[' : found))
  // `[text]` before a link whose text is a number.
  const opens = next?.kind === 'link' && escaped.endsWith(']') && !escaped.endsWith('\\]')
  return opens ? `${escaped.slice(0, -1)}\\]` : escaped
}
