import { type ChildNode, Element, Text, append } from '../../html/tree.js'
import type { Note, Span } from '../block.js'
import { uniteSpans } from '../blocks/join-spans.js'

/** References to the footnotes of a file. */
export class NoteMarks {
  readonly #ids = new Map<string, string>()
  readonly #marked = new Set<string>()
  readonly #notes: Map<Note, string>

  constructor(notes: readonly Note[]) {
    this.#notes = new Map(notes.map((note, index) => [note, `fn-${index + 1}`]))
    for (const [note, id] of this.#notes) this.#ids.set(`${note.page} ${note.label}`, id)
  }

  idOf = (note: Note): string => this.#notes.get(note) ?? ''

  /** Tests if the text refers to a note. */
  isMarked = (note: Note): boolean => this.#marked.has(this.idOf(note))

  /**
   * Takes the note that a superscript refers to: marks it as referred to, and returns its id. Undefined if there is
   * none, or if an earlier superscript took it.
   */
  call(text: string, page: number): string | undefined {
    const label = text.trim()
    // A paragraph that continues on the next page can refer to the notes of both pages.
    const id = this.#ids.get(`${page} ${label}`) ?? this.#ids.get(`${page + 1} ${label}`)
    if (id === undefined || this.#marked.has(id)) return undefined
    this.#marked.add(id)
    return id
  }
}

const BARE_URL = /https?:\/\/[^\s<>"'\u201c\u201d{}|\\^`]+[^\s<>"'\u201c\u201d{}|\\^`.,;:!?)\]]/g

/** Converts spans to text and inline elements. */
export function writeSpans(spans: readonly Span[], page: number, marks: NoteMarks): ChildNode[] {
  const nodes: ChildNode[] = []
  const list = trimEnds(uniteSpans(spans))
  for (let at = 0; at < list.length;) {
    const first = list[at]
    if (first === undefined) break
    const { href } = first
    let to = at + 1
    if (href !== undefined) while (list[to]?.href === href) to++
    const inner = list.slice(at, to).flatMap((span) => writeSpan(span, page, marks))
    if (href === undefined) nodes.push(...inner)
    else nodes.push(wrap('a', inner, { href }))
    at = to
  }
  return nodes
}

function trimEnds(spans: readonly Span[]): Span[] {
  const kept = spans.filter(({ text }) => text !== '')
  const [first, last] = [kept[0], kept.at(-1)]
  if (first !== undefined) kept[0] = { ...first, text: first.text.trimStart() }
  if (last !== undefined)
    kept[kept.length - 1] = { ...(kept.at(-1) ?? last), text: (kept.at(-1)?.text ?? '').trimEnd() }
  return kept.filter(({ text }) => text !== '')
}

function writeSpan(span: Span, page: number, marks: NoteMarks): ChildNode[] {
  const { text } = span
  if (span.isRaised && text.trim() !== '') {
    const note = marks.call(text, page)
    const mark = text.trim()
    const inner =
      note === undefined ? [new Text(mark)] : [wrap('a', [new Text(mark)], { href: `#${note}`, role: 'doc-noteref' })]
    return [...space(/^\s/.test(text) && note === undefined), wrap('sup', inner), ...space(/\s$/.test(text))]
  }
  const core = text.trim()
  if (core === '') return [new Text(text.includes('\n') ? ' ' : text)]
  let nodes: ChildNode[] = span.href === undefined && !span.isMono ? writeText(core) : writeLines(core)
  if (span.isMono) nodes = [wrap('code', nodes)]
  if (span.isStruck) nodes = [wrap('del', nodes)]
  if (span.isItalic) nodes = [wrap('em', nodes)]
  if (span.isBold) nodes = [wrap('strong', nodes)]
  return [...edge(text, /^\s+/), ...nodes, ...edge(text, /\s+$/)]
}

const space = (isThere: boolean): ChildNode[] => (isThere ? [new Text(' ')] : [])

function edge(text: string, pattern: RegExp): ChildNode[] {
  const found = pattern.exec(text)?.[0]
  if (found === undefined) return []
  return found.includes('\n') ? [wrap('br', [])] : [new Text(' ')]
}

/** Converts text to nodes, with URLs as links. */
function writeText(text: string): ChildNode[] {
  const nodes: ChildNode[] = []
  let from = 0
  for (const match of text.matchAll(BARE_URL)) {
    nodes.push(...writeLines(text.slice(from, match.index)), wrap('a', [new Text(match[0])], { href: match[0] }))
    from = match.index + match[0].length
  }
  nodes.push(...writeLines(text.slice(from)))
  return nodes
}

function writeLines(text: string): ChildNode[] {
  return text
    .split('\n')
    .flatMap((line, index): ChildNode[] => [
      ...(index === 0 ? [] : [wrap('br', [])]),
      ...(line === '' ? [] : [new Text(line)]),
    ])
}

function wrap(name: string, content: readonly ChildNode[], attributes: Record<string, string> = {}): Element {
  const made = new Element(name, attributes)
  for (const node of content) append(made, node)
  return made
}
