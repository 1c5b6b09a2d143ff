import { append } from '../../html/tree.js'
import { createElement, type OfficeContent, takeChildren } from '../elements/create-element.js'
import { NoteRegister } from '../elements/notes.js'
import { brokenFile } from '../refusals.js'
import { type DecodeBytes, decodeText, LETTERS, statedCodePage } from './rtf-charsets.js'
import { RtfField } from './rtf-field.js'
import { RtfProperties } from './rtf-properties.js'
import { RtfRowPlan } from './rtf-rows.js'
import { RtfSheets } from './rtf-sheets.js'
import {
  MAX_GROUP_DEPTH,
  DESTINATIONS,
  HIDEABLE,
  isNoFallback,
  KNOWN_STARRED,
  PLAIN_PARAGRAPH,
  type RtfState,
  UNSHOWN,
} from './rtf-state.js'
import { RtfStory } from './rtf-story.js'
import { type RtfListener, scanRtf } from './rtf-tokens.js'
import { addBreak, setLetters, setParagraph } from './rtf-words.js'
import { compact } from '../../../base/collections/compact.js'
import { whyHidden } from '../elements/why-hidden.js'
import { DroppedLines, NOTHING_DROPPED } from '../../../base/text/dropped-lines.js'
import { CUT_OFF_WARNING, CUT_WARNING } from '../warnings.js'

/** Reads an RTF file. Headers, footers, comments and deleted text are left out. */
export function readRtf(
  body: Uint8Array,
  decode: DecodeBytes,
  { keepsHidden }: { readonly keepsHidden?: boolean } = {},
): OfficeContent {
  const source = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  if (!/^[\s\xef\xbb\xbf]*\{\\rtf/.test(source)) throw brokenFile('it does not begin with `{\\rtf`')
  const reader = new RtfReader(decode, keepsHidden === true ? undefined : new DroppedLines())
  scanRtf(source, reader)
  return reader.finish()
}

/** Maximum length of a hidden text that is listed as one. Characters. */
const MAX_RUN = 2000

/** Maximum number of text pieces, breaks, paragraphs and cells of a file: five bytes can make a paragraph. */
const MAX_PIECES = 500_000

class RtfReader implements RtfListener {
  readonly #decode: DecodeBytes
  readonly #hidden: DroppedLines | undefined
  #hiddenRun: { text: string; readonly reason: string } | undefined
  #hasBackground = false
  readonly #root = createElement('div')
  readonly #body = new RtfStory(this.#root)
  readonly #sheets = new RtfSheets()
  readonly #notes = new NoteRegister()
  readonly #noteStories = new Map<string, RtfStory>()
  readonly #properties = new RtfProperties()
  #codePage = 1252
  #defaultFont: number | undefined
  #state: RtfState = {
    destination: 'story',
    style: {},
    isHidden: false,
    format: {},
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

  /** @param hidden gets text that no reader sees. @default it stays, but for what is formatted as hidden */
  constructor(decode: DecodeBytes, hidden: DroppedLines | undefined) {
    this.#decode = decode
    this.#hidden = hidden
  }

  get isFull(): boolean {
    return this.#pieces >= MAX_PIECES
  }

  open(): void {
    this.#flush()
    this.#left = 0
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
    this.#left = 0
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
    const { destination } = this.#state
    if (destination === 'skip' || (destination === 'fallback' && word !== 'ud')) return
    if (isStarred && !KNOWN_STARRED.has(word)) {
      this.#state.destination = 'skip'
      return
    }
    if (word === 'u') return this.#addUnicode(number ?? 0)
    if (this.#left > 0 && word !== 'tab' && LETTERS.has(word)) {
      this.#left -= 1
      return
    }
    this.#left = 0
    if (word === 'uc') this.#state.unicodeSkip = Math.min(16, Math.max(0, number ?? 1))
    else if (UNSHOWN.has(word) || (this.#state.isHidden && HIDEABLE.has(word))) this.#state.destination = 'skip'
    else if (!this.#openDestination(word)) this.#apply(word, number)
  }

  finish(): OfficeContent {
    this.#flush()
    // A complete file closes every group that it opens.
    const isCutOff = this.#outer.length > 0
    while (this.#outer.length > 0) this.close()
    this.#body.finish(this.#state.paragraph)
    this.#endHidden()
    const section = this.#notes.section((key) => {
      const story = this.#noteStories.get(key)
      return story === undefined ? [] : takeChildren(story.into)
    })
    if (section !== undefined) append(this.#root, section)
    return {
      content: [this.#root],
      metadata: this.#properties.read(),
      warnings: this.isFull ? [CUT_WARNING] : isCutOff ? [CUT_OFF_WARNING] : [],
      dropped: this.isFull || isCutOff ? undefined : (this.#hidden ?? NOTHING_DROPPED),
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
    // Codes of symbol fonts are not in any code page.
    if (this.#sheets.symbolsOf(this.#state.font) !== undefined) return this.#addText(bytes)
    const codePage = this.#sheets.codePageOf(this.#state.font ?? this.#defaultFont) ?? this.#codePage
    this.#addText(decodeText(bytes, codePage, this.#decode))
  }

  #addText(text: string): void {
    const state = this.#state
    switch (state.destination) {
      case 'story': {
        if (state.field !== undefined && text.trim() !== '') state.field.hasResult = true
        if (this.#leavesOut(text)) return
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
      case 'colours':
        return this.#sheets.endColours(text)
      case 'styles':
        return this.#sheets.readStyleName(text)
      case 'code':
        return state.field?.addCode(text)
      case 'choice':
        return state.field?.addToChoice(text)
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

  /** Leaves out text that no reader sees, and notes what follows on it in one line. */
  #leavesOut(text: string): boolean {
    const { isHidden, format, paragraph, story } = this.#state
    const isOnPaper = !paragraph.inTable && paragraph.isShaded !== true && story === this.#body && !this.#hasBackground
    const number = format.isShaded === true ? format.groundNumber : undefined
    const ground = number === undefined ? {} : compact({ ground: this.#sheets.colourOf(number) })
    const reason = isHidden || this.#hidden ? whyHidden({ ...format, ...ground, isHidden }, isOnPaper) : undefined
    if (this.#hiddenRun && this.#hiddenRun.reason === reason && this.#hiddenRun.text.length < MAX_RUN)
      this.#hiddenRun.text += text
    else {
      this.#endHidden()
      this.#hiddenRun = reason === undefined ? undefined : { text, reason }
    }
    return reason !== undefined
  }

  #endHidden(): void {
    const run = this.#hiddenRun
    if (run && run.text.trim() !== '') this.#hidden?.add({ selector: '', ...run, isHidden: true })
  }

  /** Opens the destination that a control word names. @returns false for other words */
  #openDestination(word: string): boolean {
    const state = this.#state
    const destination = DESTINATIONS.get(word)
    if (destination !== undefined) {
      state.destination = destination
      state.property = destination === 'property' ? '' : state.property
    }
    if (word === 'field') this.#openField()
    else if (word === 'fldrslt') state.href = state.field?.href ?? state.href
    else if (word === 'ud') state.destination = this.#outer.findLast(isNoFallback)?.destination ?? 'skip'
    else if (word === 'ffl') state.field?.readFormWord(word)
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
      case 'colours':
        return this.#sheets.readColourWord(word, number)
      case 'styles':
        return this.#sheets.readStyleWord(word, number)
      case 'form':
        return state.field?.readFormWord(word, number)
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
    if (word === 'cf') {
      const { colour: _, ...format } = state.format
      const colour = this.#sheets.colourOf(number)
      state.format = colour === undefined ? format : { ...format, colour }
      return
    }
    if (setLetters(state, word, number) || setParagraph(state, word, number, this.#sheets)) return
    if (state.destination !== 'story' || this.#row.read(word, number)) return
    this.#pieces += 1
    if (addBreak(state, word, this.#row)) return
    if (word === 'viewbksp') this.#hasBackground = number === 1
    if (word === 'deff') this.#defaultFont = number
    this.#codePage = statedCodePage(word, number) ?? this.#codePage
  }

  #openField(): void {
    const field = new RtfField()
    this.#state.field = field
    this.#state.onClose ??= () => {
      if (!field.hasResult) this.#addText(field.value)
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

/** Numbers the images of an RTF file and inserts them into its text. */
class RtfImages {
  #count = 0

  add(state: RtfState): void {
    // Only the image itself is displayed: a drawing also contains images for fills and the like.
    const isShown = state.property === '' || state.property === 'pib'
    state.destination = isShown ? 'property' : 'skip'
    if (!isShown) return
    state.property = ''
    this.#count += 1
    const picture = createElement('img', { src: `#picture-${this.#count}`, alt: state.drawing?.alt ?? '' })
    state.drawing = Object.assign(state.drawing ?? { alt: '' }, { picture })
    state.story.node(picture, { href: state.href })
  }
}

const MAX_DESCRIPTION = 2000

/** Appends text to the description of the enclosing drawing. */
function describeDrawing({ drawing }: RtfState, text: string): void {
  if (drawing === undefined || drawing.alt.length > MAX_DESCRIPTION) return
  drawing.alt += text
  if (drawing.picture !== undefined) drawing.picture.attribs['alt'] = drawing.alt
}
