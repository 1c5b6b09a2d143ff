import { findNotes } from '../ast/find-notes.js'
import { isFragment, readCode, readCodeBlock } from './read-code.js'
import { readDefinitionList, readDetails } from './read-definitions.js'
import { readHeading } from './read-heading.js'
import { readLink } from './read-link.js'
import { readList } from './read-list.js'
import { addFormula, formulaIn, formulaSource, isDrawnFormula, readFormula } from '../math/read-formula.js'
import { readEmbed, readImage, readMedia } from './read-media.js'
import { readNote, readRaised } from './read-note.js'
import { readRuby } from './read-ruby.js'
import { readTable } from '../table/read-table.js'
import type { ElementReader, ReadingContext } from '../ast/element-reader.js'
import type { ViewNode } from '../markdown-view.js'
import { isCaption, readCaption } from './read-caption.js'
import { standsApart } from '../text/stands-apart.js'
import { type TexMarks, findTexMarks, isTexPlace, splitTex } from '../math/tex-in-text.js'
import { tidyView } from '../ast/tidy-view.js'
import { isForEarsOnly, withoutWindow } from '../text/unseen-text.js'
import { ViewBuilder } from '../ast/view-builder.js'
import {
  BLOCK_ELEMENTS,
  type Element,
  type ParentNode,
  type Text,
  findElement,
  hasText,
  isElement,
  isText,
  textOf,
} from '../../html/tree.js'

/** What the readers ask of the page around the content. */
export interface PageAround {
  /** Whether an address is a place on the page itself. */
  isOnPage(href: string): boolean
  /** The whole page, with its scripts. */
  readonly page: ParentNode | undefined
}

/** The content as Turndown's view. Recursion is safe: parsing has bounded the depth. */
export function readContent(content: ParentNode, { isOnPage, page }: PageAround): ViewNode {
  const view = new ViewBuilder()
  let texMarks: TexMarks | undefined
  const context: ReadingContext = {
    view,
    isOnPage,
    notes: findNotes(content, isOnPage),
    language: (page && findElement(page, ({ name }) => name === 'html'))?.attribs['lang'] ?? '',
    read(node) {
      if (isText(node)) readText(node)
      else if (isElement(node)) readElement(node, context)
    },
    readChildren(parent) {
      for (const child of parent.children) context.read(child)
    },
  }
  context.readChildren(content)
  view.endLine()
  tidyView(view.root)
  return view.root

  function readText({ data: all, parent }: Text): void {
    const data = view.inLink ? withoutWindow(all) : all
    if (!/\$|\\(?:[([]|begin\{)/.test(data)) return view.text(data)
    texMarks ??= page === undefined ? { isUsed: false, withDollar: false } : findTexMarks(page)
    if (!texMarks.isUsed && !isTexPlace(parent)) return view.text(data)
    for (const part of splitTex(data, texMarks.withDollar)) {
      if ('text' in part) view.text(part.text)
      else addFormula(part.tex, part.isBlock, view)
    }
  }
}

function readElement(element: Element, context: ReadingContext): void {
  const { name } = element
  const note = context.notes.noteAt(element)
  if (note !== undefined && name !== 'li') return readNote(note, element, context)
  if (isForEarsOnly(element)) return
  const isBlock = BLOCK_ELEMENTS.has(name)
  if (!isBlock && standsApart(element)) context.view.text(' ')
  const reader = READERS[name]
  if (reader !== undefined) return reader(element, context)
  if (LEFT_OUT.has(name) || isDrawnFormula(element)) return
  const formula = formulaIn(element)
  if (formula !== undefined) return readFormula(formula, context)
  const source = formulaSource(element)
  if (source !== undefined) return addFormula(source, isBlock, context.view)
  if (isFragment(element)) return readCodeBlock(element, context)
  const { role } = element.attribs
  const byRole = role === undefined ? undefined : READERS_BY_ROLE[role]
  if (byRole !== undefined) return byRole(element, context)
  if (isCaption(element)) return readCaption(element, context)
  if (!isBlock && !LINE_OF_ITS_OWN.test(element.attribs['style'] ?? '')) return context.readChildren(element)
  context.view.endLine()
  context.readChildren(element)
  context.view.endLine()
}

const LINE_OF_ITS_OWN = /(?:^|[;\s])display\s*:\s*(?:block|flex|grid|table|list-item)\b/i

const LEFT_OUT = new Set(
  'script style noscript template head title meta link base svg canvas select datalist textarea input progress meter map area param track source col colgroup rp'.split(
    ' ',
  ),
)

const mark =
  (kind: 'strong' | 'emphasis' | 'strike' | 'subscript'): ElementReader =>
  (element, { view, readChildren }) =>
    // Icons are made of `i`, and there is no image in bold.
    hasText(element) ? view.mark(kind, {}, () => readChildren(element)) : readChildren(element)

/** For elements that have no reader by their name. */
const READERS_BY_ROLE: Readonly<Record<string, ElementReader | undefined>> = Object.assign(Object.create(null), {
  grid: readTable,
  heading: readHeading,
  table: readTable,
  treegrid: readTable,
} satisfies Record<string, ElementReader>)

const READERS: Readonly<Record<string, ElementReader | undefined>> = Object.assign(Object.create(null), {
  a: readLink,
  audio: readMedia,
  b: mark('strong'),
  blockquote: (element, { view, readChildren }) => {
    view.endLine()
    if (view.inCell) readChildren(element)
    else view.block('quote', {}, () => readChildren(element))
    view.endLine()
  },
  br: (_, { view }) => view.lineBreak(),
  // Buttons stand apart without a space between them. One that copies the code beside it is no text.
  button: (element, { view, readChildren }) => {
    if (/^\s*cop(?:y|ied)(?: (?:code|to clipboard|link))?!?\s*$/i.test(textOf(element))) return
    view.text(' ')
    readChildren(element)
    view.text(' ')
  },
  code: readCode,
  del: mark('strike'),
  details: readDetails,
  dir: readList,
  dl: readDefinitionList,
  em: mark('emphasis'),
  embed: readEmbed,
  h1: readHeading,
  h2: readHeading,
  h3: readHeading,
  h4: readHeading,
  h5: readHeading,
  h6: readHeading,
  hr: (_, { view }) => (view.inCell ? view.endLine() : view.leaf('rule', '')),
  i: mark('emphasis'),
  iframe: readEmbed,
  img: readImage,
  kbd: readCode,
  listing: readCodeBlock,
  math: readFormula,
  menu: readList,
  object: readEmbed,
  ol: readList,
  pre: readCodeBlock,
  q: (element, { view, readChildren }) => {
    const isInner = element.parent !== null && isElement(element.parent) && element.parent.name === 'q'
    view.text(isInner ? '‘' : '“')
    readChildren(element)
    view.text(isInner ? '’' : '”')
  },
  ruby: readRuby,
  s: mark('strike'),
  samp: readCode,
  strike: mark('strike'),
  strong: mark('strong'),
  sub: mark('subscript'),
  sup: readRaised,
  table: readTable,
  tt: readCode,
  ul: readList,
  video: readMedia,
  xmp: readCodeBlock,
} satisfies Record<string, ElementReader>)
