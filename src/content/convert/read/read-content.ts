import { GRIDS, readCellGrid } from '../../html/cell-grid.js'
import { findNotes, type LinkPage, type Notes } from '../ast/find-notes.js'
import { readAdmonition, unsaidKind } from './read-admonition.js'
import { readCode, readCodeBlock, readDrawnListing } from './read-code.js'
import { readDefinitionList, readDetails } from './read-definitions.js'
import { readHeading, readHeadingRole } from './read-heading.js'
import { readLink } from './read-link.js'
import { readList, readStrayItem } from './read-list.js'
import {
  addFormula,
  formulaIn,
  formulaSource,
  isDrawnFormula,
  isDrawnOnLines,
  readFormula,
} from '../math/read-formula.js'
import { readAmpImage, readEmbed, readImage, readMedia, readPlayerElement } from './read-media.js'
import { readNote, readNoteInLine, readRaised } from './read-note.js'
import { readCite, readQuote } from './read-quote.js'
import { readCellTable, readTable } from '../table/read-table.js'
import { type ElementReader, type ReadingContext, readLines } from '../ast/element-reader.js'
import type { MarkKind, ViewDetails, ViewKind, ViewNode } from '../markdown-view.js'
import { isEmptyBreak, isEmptySeparator, isField, isVisuallySeparate } from '../text/visual-separation.js'
import { type TexMarks, findTexMarks, isTexPlace, splitTex } from '../math/tex-in-text.js'
import { tidyView } from '../ast/tidy-view.js'
import { isDrawnListing } from '../text/drawn-listing.js'
import { isBesideCode } from '../text/code-frame.js'
import { isForScreenReaders, withoutWindow } from '../text/screen-reader-text.js'
import { keepsLineBreaks, withStyle } from '../text/white-space.js'
import type { WrittenParts } from '../written-parts.js'
import { dropRepeatedAlts } from '../ast/repeated-alts.js'
import { ViewBuilder } from '../ast/view-builder.js'
import {
  type ChildNode,
  type Element,
  type ParentNode,
  type Text,
  findElement,
  isBlockElement,
  isElement,
  isText,
  languageOfPage,
  textOf,
  hasText,
} from '../../html/tree.js'

/** Styles by which the text of a mark looks as that around it: Google Docs puts a whole text into such a `b`. */
const PLAIN_STYLES: { readonly [kind in MarkKind]?: { readonly declared: RegExp; readonly plain: RegExp } } = {
  strong: { declared: /(?:^|;)\s*font-weight\s*:\s*(\w+)/gi, plain: /^(?:normal|400)$/i },
  emphasis: { declared: /(?:^|;)\s*font-style\s*:\s*(\w+)/gi, plain: /^normal$/i },
}

/** Returns a reader of marked text. */
const readMark =
  (kind: MarkKind): ElementReader =>
  (element, context) =>
    // Icons are `i` elements, and an image cannot be bold.
    hasText(element) && !looksPlain(kind, element.attribs['style'])
      ? context.readMarked(kind, element)
      : context.readChildren(element)

/** True for a style whose last declaration takes the look of the mark away. */
function looksPlain(kind: MarkKind, style: string | undefined): boolean {
  const styles = PLAIN_STYLES[kind]
  if (styles === undefined || style === undefined) return false
  const [, value] = [...style.matchAll(styles.declared)].at(-1) ?? []
  return value !== undefined && styles.plain.test(value)
}

/**
 * Reads a button as words of their own, even without a space around it. In a sentence, no space stands before
 * punctuation, nor in a script that has none. A button that copies the code beside it is no text.
 */
const readButton: ElementReader = (element, context) => {
  if (/^\s*cop(?:y|ied)(?: (?:code|to clipboard|link))?!?\s*$/i.test(textOf(element))) return
  if (!hasSign(element.prev, NO_SPACE_AFTER)) context.view.text(' ')
  context.readChildren(element)
  if (!hasSign(element.next, NO_SPACE_BEFORE)) context.view.text(' ')
}

/** Tests the text beside a button. A pattern for its end sees the last two characters, of which one sign may consist. */
const hasSign = (beside: ChildNode | null, sign: RegExp): boolean =>
  beside !== null && isText(beside) && sign.test(sign === NO_SPACE_AFTER ? beside.data.slice(-2) : beside.data)

const NO_SPACE_AFTER = /[([{“‘«\u3001-\u303F\uFF01-\uFF65\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u
const NO_SPACE_BEFORE =
  /^[.,;:!?)\]}…’”»\u3001-\u303F\uFF01-\uFF65\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Properties of the page around the content that readers need. */
export interface SourcePage extends LinkPage {
  /** The whole page, including its scripts. */
  readonly page: ParentNode | undefined
}

/** Reads the content into a view that is written as Markdown. Recursion is safe, because the parser bounds the depth. */
export function readContent(content: ParentNode, page: SourcePage, parts?: WrittenParts): ViewNode {
  const reader = new ContentReader(content, page, parts)
  reader.readAll(content)
  if (reader.view.hasFormula) escapeDollars(reader.view.root)
  tidyView(reader.view.root)
  if (parts?.images === 'alt') dropRepeatedAlts(reader.view.root)
  return reader.view.root
}

/**
 * Escapes the dollar signs of the lines of a page with formulas, whose delimiters they are: `$5` would begin another that ends at the
 * next. Recursion is safe, because the depth of a view is bounded.
 */
function escapeDollars(node: ViewNode, isInLine = false): void {
  const isEscaped = isInLine || (node.childNodes.some(isInline) && countDollars(node) > 1)
  if (node.kind === 'text' && isEscaped)
    node.nodeValue = node.nodeValue.replace(DOLLAR, (found) => (found === '$' ? '\\$' : found))
  for (const child of node.childNodes) escapeDollars(child, isEscaped)
}

const isInline = ({ isBlock }: ViewNode): boolean => !isBlock

const countDollars = ({ kind, nodeValue, childNodes }: ViewNode): number =>
  kind === 'text' || kind === 'inlineText'
    ? nodeValue.split('$').length - 1
    : childNodes.reduce((sum, child) => sum + countDollars(child), 0)

/** A dollar sign, or a URL, in which nothing is escaped. */
const DOLLAR = /(?:https?:\/\/|www\.)\S+|\$/gi

class ContentReader implements ReadingContext {
  readonly view = new ViewBuilder()
  readonly notes: Notes
  readonly language: string
  readonly #source: SourcePage
  readonly #atEnd: (() => void)[] = []
  #texMarks: TexMarks | undefined

  constructor(content: ParentNode, source: SourcePage, parts: WrittenParts | undefined) {
    if (parts) this.view.parts = parts
    this.#source = source
    this.notes = findNotes(content, source)
    const html = findHtml(source.page) ?? findHtml(content)
    this.language = (html && languageOfPage(html)) ?? ''
  }

  readAll(content: ParentNode): void {
    this.readChildren(content)
    // A note may have notes of its own.
    for (const read of this.#atEnd) read()
    this.view.endLine()
  }

  readAtEnd(read: () => void): void {
    this.#atEnd.push(read)
  }

  isOnPage(href: string): boolean {
    return this.#source.isOnPage(href)
  }

  read(node: ChildNode): void {
    if (isText(node)) this.#readText(node)
    else if (isElement(node)) readElement(node, this)
  }

  readChildren(parent: ParentNode): void {
    const { view } = this
    const isWithin = view.keepsLines
    const style = isElement(parent) ? parent.attribs['style'] : undefined
    if (style !== undefined) view.keepsLines = keepsLineBreaks(style) ?? isWithin
    for (const child of parent.children) this.read(child)
    view.keepsLines = isWithin
  }

  readBlock(kind: ViewKind, details: ViewDetails, element: Element): void {
    const block = this.view.openBlock(kind, details)
    this.readChildren(element)
    this.view.closeBlock(block)
  }

  readMarked(kind: MarkKind, element: Element): void {
    const mark = this.view.openMark(kind)
    this.readChildren(element)
    this.view.closeMark(mark)
  }

  #readText({ data: all, parent }: Text): void {
    const { view } = this
    const data = view.inLink ? withoutWindow(all) : all
    if (!mayHaveTex(data)) return addText(data, view)
    const { page } = this.#source
    this.#texMarks ??= page === undefined ? NO_TEX : findTexMarks(page)
    if (!this.#texMarks.isUsed && !isTexPlace(parent)) return addText(data, view)
    for (const part of splitTex(data, this.#texMarks)) {
      if ('text' in part) addText(part.text, view)
      else if ('code' in part) view.inline('code', part.code)
      else addFormula(part.tex, part.isBlock, view)
    }
  }
}

function addText(text: string, view: ViewBuilder): void {
  if (!view.keepsLines || !text.includes('\n')) return view.text(text)
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    view.text(text.slice(start, end))
    view.lineBreak()
    start = end + 1
  }
  view.text(text.slice(start))
}

const NO_TEX: TexMarks = { isUsed: false, withDollar: false, withTicks: false }

const mayHaveTex = (text: string): boolean =>
  text.includes('$') || text.includes('`') || (text.includes('\\') && TEX_START.test(text))

const TEX_START = /\\(?:[([]|begin\{)/

/** Finds the `html` element. It is in the content if that is the whole page. */
const findHtml = (tree: ParentNode | undefined): Element | undefined =>
  tree && findElement(tree, ({ name }) => name === 'html')

function readElement(element: Element, context: ReadingContext): void {
  const { name, attribs } = element
  const note = context.notes.isEmpty ? undefined : context.notes.noteAt(element)
  if (note !== undefined && name !== 'li') return readNote(note, element, context)
  const isPlain = isReadByTag(element)
  const noteInLine = isPlain || context.notes.isEmpty ? undefined : context.notes.noteInLine(element)
  if (noteInLine === 'mark') return
  if (noteInLine !== undefined) return readNoteInLine(noteInLine, context)
  const isNamed = attribs['class'] !== undefined || attribs['style'] !== undefined
  if (!isPlain && isNamed && (isForScreenReaders(element) || isBesideCode(element))) return
  const isBlock = isBlockElement(element)
  if (!isBlock && (isField(element) || isVisuallySeparate(element) || isEmptySeparator(element))) context.view.text(' ')
  if (!isBlock && isEmptyBreak(element)) return context.view.lineBreak()
  const rows = GRIDS.has(name) ? readCellGrid(element) : undefined
  if (rows !== undefined) return readCellTable(rows, context)
  if (isPlain) return isBlock ? readLines(element, context) : context.readChildren(element)
  const kind = isBlock && !context.view.inLink && !context.view.inHeading ? unsaidKind(element) : undefined
  if (kind !== undefined) return readAdmonition(kind, element, context)
  const reader = READERS[name]
  if (reader !== undefined) return reader(element, context)
  if (SKIPPED_ELEMENTS.has(name) || isDrawnFormula(element)) return
  const formula = formulaIn(element)
  if (formula !== undefined) return readFormula(formula, context)
  const source = formulaSource(element)
  if (source !== undefined) return addFormula(source, isBlock || isDrawnOnLines(element), context.view)
  if (isDrawnListing(element)) return readDrawnListing(element, context)
  const { role } = attribs
  const byRole = role === undefined ? undefined : READERS_BY_ROLE[role]
  if (byRole !== undefined) return byRole(element, context)
  if (isCaption(element)) return readCaption(element, context)
  if (!isBlock && !BLOCK_STYLE.test(element.attribs['style'] ?? '')) return context.readChildren(element)
  readLines(element, context)
}

/** Elements without a reader of their own that pages have most. */
const GENERIC: ReadonlySet<string> = new Set('article body center dd div font main p section span td u'.split(' '))

/** A part of each class name that decides how an element is read. */
const MAY_DECIDE =
  /(?:^|[\s_-])sr(?![a-z])|sr-?only|hidden|screen-?reader|off-?screen|invisible|assistive|accessib|a11y|clip|visual|text-hide|(?:^|[\s_-])vh(?![a-z])|math|mjx|katex|formula|fragment|caption|lang|line-?num|toolbar-item|CodeMirror|cm-(?:content|gutters)|view-lines|margin-view|ace_(?:gutter|text-layer)|ltx_note|admonition|callout|alert|hint|notice|custom-block|notecard|macro|warning|caution|danger|attention|(?:side|margin|inline|foot)-?note|(?:^|\s)fn(?:\s|$)|code[\w-]{0,20}(?:head|title|bar|top|info|label|meta)/i

/** True for an element of which no attribute decides how it is read. Most elements are so. */
function isReadByTag({ name, attribs }: Element): boolean {
  if (!GENERIC.has(name)) return false
  for (const attribute in attribs) {
    if (attribute === 'id') continue
    if (attribute !== 'class' || MAY_DECIDE.test(attribs[attribute] ?? '')) return false
  }
  return true
}

const BLOCK_STYLE = /(?:^|[;\s])display\s*:\s*(?:block|flex|grid|table|list-item)\b/i

const SKIPPED_ELEMENTS = new Set(
  'script style noscript template head title meta link base svg canvas select datalist textarea input progress meter map area param track source col colgroup rp'.split(
    ' ',
  ),
)

/**
 * Reads ruby: the annotation follows the word in parentheses, as browsers without ruby show it.
 *
 * @see https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-ruby-element
 */
const readRuby: ElementReader = (element, context) => {
  const { view } = context
  for (const child of element.children) {
    if (!isElement(child)) context.read(child)
    else if (child.name === 'rt' || child.name === 'rtc') {
      view.text('(')
      context.readChildren(child)
      view.text(')')
    } else if (child.name !== 'rp') context.read(child)
  }
}

/** Readers of elements that have none by their tag name. */
const READERS_BY_ROLE: Readonly<Record<string, ElementReader | undefined>> = Object.assign(Object.create(null), {
  grid: readTable,
  heading: readHeadingRole,
  table: readTable,
  treegrid: readTable,
} satisfies Record<string, ElementReader>)

const READERS: Readonly<Record<string, ElementReader | undefined>> = Object.assign(Object.create(null), {
  a: readLink,
  'amp-anim': readAmpImage,
  'amp-iframe': readEmbed,
  'amp-img': readAmpImage,
  'amp-vimeo': readPlayerElement,
  'amp-youtube': readPlayerElement,
  audio: readMedia,
  b: readMark('strong'),
  blockquote: readQuote,
  br: (_, { view }) => view.lineBreak(),
  button: readButton,
  cite: readCite,
  code: readCode,
  del: readMark('strike'),
  details: readDetails,
  dir: withStyle(readList),
  dl: withStyle(readDefinitionList),
  em: readMark('emphasis'),
  embed: readEmbed,
  h1: readHeading,
  h2: readHeading,
  h3: readHeading,
  h4: readHeading,
  h5: readHeading,
  h6: readHeading,
  hr: (_, { view }) => (view.inCell ? view.endLine() : view.leaf('rule', '')),
  i: readMark('emphasis'),
  iframe: readEmbed,
  img: readImage,
  kbd: readCode,
  li: readStrayItem,
  listing: readCodeBlock,
  'lite-vimeo': readPlayerElement,
  'lite-youtube': readPlayerElement,
  math: readFormula,
  menu: withStyle(readList),
  object: readEmbed,
  ol: withStyle(readList),
  pre: readCodeBlock,
  q: (element, context) => {
    const { view } = context
    const isInner = element.parent !== null && isElement(element.parent) && element.parent.name === 'q'
    view.text(isInner ? '‘' : '“')
    context.readChildren(element)
    view.text(isInner ? '’' : '”')
  },
  ruby: readRuby,
  s: readMark('strike'),
  samp: readCode,
  strike: readMark('strike'),
  strong: readMark('strong'),
  sub: readMark('subscript'),
  sup: readRaised,
  table: withStyle(readTable),
  tt: readCode,
  ul: withStyle(readList),
  video: readMedia,
  xmp: readCodeBlock,
} satisfies Record<string, ElementReader>)

const CAPTION_NAME =
  /(?:^|[\s_])(?:wp-caption-text|(?:image|img|photo|picture|figure|thumb|media)[-_]?caption|caption[-_]?text|figcaption|caption)(?=$|\s)/i

/** True for an element named as a caption. Only below an image it counts as one. */
function isCaption(element: Element): boolean {
  const { name, attribs } = element
  if (name === 'figcaption' || attribs['class'] === undefined) return name === 'figcaption'
  return CAPTION_NAME.test(attribs['class']) && (isBlockElement(element) || !isInSentence(element))
}

/** True for an inline element directly beside text. */
const isInSentence = ({ prev, next }: Element): boolean =>
  [prev, next].some((node) => node !== null && isText(node) && node.data.trim() !== '')

/** Reads a caption, which starts on the line below its image. */
const readCaption: ElementReader = (element, context) => {
  const { view } = context
  const isWithin = view.inCaption
  view.endLine()
  view.inCaption = true
  context.readChildren(element)
  view.endLine()
  view.inCaption = isWithin
}
