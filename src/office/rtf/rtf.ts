import { append } from '../../html/tree.js'
import { linkOf } from '../docx/docx-fields.js'
import { createElement, type OfficeContent, takeChildren } from '../elements/create-element.js'
import { NoteRegister } from '../elements/notes.js'
import { brokenFile } from '../refusals.js'
import { labelOf, LETTERS } from './rtf-charsets.js'
import { describeDrawing, RtfImages } from './rtf-images.js'
import { RtfProperties } from './rtf-properties.js'
import { RtfRowPlan } from './rtf-rows.js'
import { RtfSheets } from './rtf-sheets.js'
import { MAX_GROUP_DEPTH, DESTINATIONS, KNOWN_STARRED, PLAIN_PARAGRAPH, type RtfState, UNSHOWN } from './rtf-state.js'
import { RtfStory } from './rtf-story.js'
import { type RtfListener, scanRtf } from './rtf-tokens.js'
import { setLetters, setParagraph } from './rtf-words.js'
import { NOTHING_DROPPED } from '../../text/dropped-lines.js'
import { CUT_OFF_WARNING, CUT_WARNING } from '../warnings.js'

/** Decodes bytes by the label of their encoding. */
export type DecodeBytes = (bytes: Uint8Array, label: string) => string

/** Reads an RTF file. Headers, footers, comments and deleted text are left out. */
export function readRtf(body: Uint8Array, decode: DecodeBytes): OfficeContent {
  const source = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  if (!/^[\s\xef\xbb\xbf]*\{\\rtf/.test(source)) throw brokenFile('it does not begin with `{\\rtf`')
  const reader = new RtfReader(decode)
  scanRtf(source, reader)
  return reader.finish()
}

const MAX_CODE_LENGTH = 4000

/** Maximum number of text pieces, breaks, paragraphs and cells of a file: five bytes can make a paragraph. */
const MAX_PIECES = 500_000

class RtfReader implements RtfListener {
  readonly #decode: DecodeBytes
  readonly #root = createElement('div')
  readonly #body = new RtfStory(this.#root)
  readonly #sheets = new RtfSheets()
  readonly #notes = new NoteRegister()
  readonly #noteStories = new Map<string, RtfStory>()
  readonly #properties = new RtfProperties()
  #codePage = 1252
  #state: RtfState = {
    destination: 'story',
    style: {},
    isHidden: false,
    font: undefined,
    unicodeSkip: 1,
    paragraph: PLAIN_PARAGRAPH,
    field: undefined,
    href: undefined,
    story: this.#body,
    property: '',
    drawing: undefined,
    onClose: undefined,
  }
  readonly #outer: RtfState[] = []
  #tooDeep = 0
  #isStarred = false
  #pending = ''
  #left = 0
  readonly #row = new RtfRowPlan()
  readonly #pictures = new RtfImages()
  #pieces = 0

  constructor(decode: DecodeBytes) {
    this.#decode = decode
  }

  get isFull(): boolean {
    return this.#pieces >= MAX_PIECES
  }

  open(): void {
    this.#flush()
    this.#isStarred = false
    if (this.#outer.length >= MAX_GROUP_DEPTH) {
      this.#tooDeep += 1
      return
    }
    if (this.#state.destination === 'styles') this.#sheets.endStyle()
    this.#outer.push(this.#state)
    this.#state = { ...this.#state, onClose: undefined }
  }

  close(): void {
    this.#flush()
    if (this.#tooDeep > 0) {
      this.#tooDeep -= 1
      return
    }
    this.#state.onClose?.()
    this.#state = this.#outer.pop() ?? this.#state
  }

  text(bytes: string): void {
    let shown = bytes
    if (this.#left > 0) {
      shown = bytes.slice(this.#left)
      this.#left -= bytes.length - shown.length
    }
    this.#isStarred = false
    if (this.#state.destination !== 'skip') this.#pending += shown
  }

  control(word: string, number: number | undefined): void {
    if (word === '*') {
      this.#isStarred = true
      return
    }
    this.#flush()
    const isStarred = this.#isStarred
    this.#isStarred = false
    if (this.#state.destination === 'skip') return
    if (isStarred && !KNOWN_STARRED.has(word)) {
      this.#state.destination = 'skip'
      return
    }
    if (word === 'u') return this.#addUnicode(number ?? 0)
    this.#left = 0
    if (word === 'uc') this.#state.unicodeSkip = Math.min(16, Math.max(0, number ?? 1))
    else if (UNSHOWN.has(word)) this.#state.destination = 'skip'
    else if (!this.#openDestination(word)) this.#apply(word, number)
  }

  finish(): OfficeContent {
    this.#flush()
    // A complete file closes every group that it opens.
    const isCutOff = this.#outer.length > 0
    while (this.#outer.length > 0) this.close()
    this.#body.finish(this.#state.paragraph)
    const section = this.#notes.section((key) => {
      const story = this.#noteStories.get(key)
      return story === undefined ? [] : takeChildren(story.into)
    })
    if (section !== undefined) append(this.#root, section)
    return {
      content: [this.#root],
      metadata: this.#properties.read(),
      warnings: this.isFull ? [CUT_WARNING] : isCutOff ? [CUT_OFF_WARNING] : [],
      ...(!this.isFull && !isCutOff && { dropped: NOTHING_DROPPED }),
    }
  }

  #addUnicode(number: number): void {
    this.#addText(String.fromCharCode(number & 0xffff))
    this.#left = this.#state.unicodeSkip
  }

  /** Writes buffered text: characters of several bytes can arrive in parts. */
  #flush(): void {
    if (this.#pending === '') return
    const bytes = this.#pending
    this.#pending = ''
    // oxlint-disable-next-line no-control-regex -- control characters are ASCII, too
    if (/^[\x00-\x7f]*$/.test(bytes)) return this.#addText(bytes)
    // Codes of symbol fonts are not in any code page.
    if (this.#sheets.symbolsOf(this.#state.font) !== undefined) return this.#addText(bytes)
    const codePage = this.#sheets.codePageOf(this.#state.font) ?? this.#codePage
    this.#addText(this.#decode(Buffer.from(bytes, 'latin1'), labelOf(codePage)))
  }

  #addText(text: string): void {
    const state = this.#state
    switch (state.destination) {
      case 'story': {
        if (state.isHidden) return
        this.#pieces += 1
        const { bold, ...rest } = state.style
        const { headingLevel, inTable, isDropCap } = state.paragraph
        // Bold type is ignored in headings and header cells, which are bold anyway.
        const isHeading = headingLevel !== undefined || (inTable && this.#row.isHead)
        if (isDropCap === true) return state.story.text(text, {})
        const code = this.#sheets.isCode(state.font)
        const symbols = this.#sheets.symbolsOf(state.font)
        return state.story.text(text, { ...rest, bold: bold === true && !isHeading, code, symbols, href: state.href })
      }
      case 'fonts':
        return this.#sheets.readFontName(text)
      case 'styles':
        return this.#sheets.readStyleName(text)
      case 'code': {
        if (state.field !== undefined && state.field.code.length < MAX_CODE_LENGTH) state.field.code += text
        return
      }
      case 'marker': {
        if (state.story.marker.length < 100) state.story.marker += text
        return
      }
      case 'bookmark':
        return state.story.placeBookmark(text)
      case 'property name': {
        // The name of a drawing property applies to the enclosing group.
        const around = this.#outer.at(-1)
        if (around !== undefined) around.property = text.slice(0, 100)
        return
      }
      case 'property value': {
        if (state.property === 'wzDescription') describeDrawing(state, text)
        return
      }
      case 'property':
        return this.#properties.addText(state.property, text)
      default:
    }
  }

  /** Opens the destination that a control word names. @returns false for other words */
  #openDestination(word: string): boolean {
    const state = this.#state
    const destination = DESTINATIONS.get(word)
    if (destination !== undefined) {
      state.destination = destination
      state.property = destination === 'property' ? '' : state.property
    }
    if (word === 'field') state.field = { code: '' }
    else if (word === 'fldrslt') state.href = (state.field && linkOf(state.field.code)) ?? state.href
    else if (word === 'footnote') this.#openFootnote()
    else if (word === 'shptxt') this.#openBox()
    else if (word === 'pict') this.#pictures.add(state)
    else if (word === 'shpinst') state.drawing = { alt: '' }
    else return destination !== undefined
    return true
  }

  /** Applies a control word to the text, or to the table of the file that contains it. */
  #apply(word: string, number: number | undefined): void {
    const state = this.#state
    switch (state.destination) {
      case 'fonts':
        return this.#sheets.readFontWord(word, number)
      case 'styles':
        return this.#sheets.readStyleWord(word, number)
      case 'property':
        state.property = this.#properties.readWord(word, number, state.property)
        return
      case 'story':
      case 'marker':
      case 'code':
        break
      default:
        return
    }
    const letter = LETTERS.get(word)
    if (letter !== undefined) return this.#addText(letter)
    if (setLetters(state, word, number) || setParagraph(state, word, number, this.#sheets)) return
    if (state.destination === 'story' && !this.#row.read(word, number)) this.#build(word, number)
  }

  #build(word: string, number: number | undefined): void {
    const { story, paragraph } = this.#state
    this.#pieces += 1
    switch (word) {
      case 'par':
      case 'sect':
      case 'nestcell':
      case '\n':
      case '\r':
        return story.endParagraph(paragraph)
      case 'line':
        return story.node(createElement('br'))
      case 'cell':
        return story.endCell(paragraph)
      case 'row':
        return story.endRow(this.#row.cells, this.#row.isHead)
      case 'ansicpg':
        this.#codePage = number ?? this.#codePage
        return
      case 'mac':
        this.#codePage = 10_000
        return
      default:
    }
  }

  #openFootnote(): void {
    const state = this.#state
    const key = `note ${this.#noteStories.size}`
    const story = new RtfStory(createElement('div'))
    this.#noteStories.set(key, story)
    state.story.node(this.#notes.mark(key))
    Object.assign(state, { story, destination: 'story', paragraph: PLAIN_PARAGRAPH, style: {}, href: undefined })
    state.onClose = () => story.finish(this.#state.paragraph)
  }

  #openBox(): void {
    const state = this.#state
    const around = state.story
    const story = new RtfStory(createElement('div'))
    Object.assign(state, { story, destination: 'story', paragraph: PLAIN_PARAGRAPH, style: {}, href: undefined })
    state.onClose = () => {
      story.finish(this.#state.paragraph)
      around.addBox(story.into)
    }
  }
}
