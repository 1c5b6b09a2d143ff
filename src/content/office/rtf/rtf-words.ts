import { createElement } from '../elements/create-element.js'
import type { RtfRowPlan } from './rtf-rows.js'
import type { RtfSheets } from './rtf-sheets.js'
import { PLAIN_PARAGRAPH, type RtfState } from './rtf-state.js'
import type { RtfParagraph } from './rtf-story.js'

const setGround = (state: RtfState, isShaded: boolean, groundNumber: number | undefined): void =>
  void (state.format = { ...state.format, isShaded, groundNumber })

/** Control words of character formatting. */
const LETTER_WORDS: Readonly<Record<string, (state: RtfState, isOn: boolean, number: number | undefined) => void>> =
  Object.assign(Object.create(null), {
    plain: (state) => {
      state.style = {}
      state.isHidden = false
      state.format = {}
      state.font = undefined
    },
    b: (state, bold) => void (state.style = { ...state.style, bold }),
    i: (state, italic) => void (state.style = { ...state.style, italic }),
    strike: (state, strike) => void (state.style = { ...state.style, strike }),
    striked: (state, strike) => void (state.style = { ...state.style, strike }),
    super: (state, isOn) => void (state.style = { ...state.style, raised: isOn ? 'sup' : undefined }),
    sub: (state, isOn) => void (state.style = { ...state.style, raised: isOn ? 'sub' : undefined }),
    up: (state, _isOn, number) =>
      void (state.style = { ...state.style, raised: (number ?? 6) > 0 ? 'sup' : undefined }),
    dn: (state, _isOn, number) =>
      void (state.style = { ...state.style, raised: (number ?? 6) > 0 ? 'sub' : undefined }),
    nosupersub: (state) => void (state.style = { ...state.style, raised: undefined }),
    v: (state, isOn) => void (state.isHidden = isOn),
    deleted: (state, isOn) => void (state.isHidden = isOn),
    f: (state, _isOn, number) => void (state.font = number),
    fs: (state, _isOn, number) => void (state.format = { ...state.format, size: (number ?? 24) / 2 }),
    highlight: setGround,
    cb: setGround,
    chcbpat: setGround,
    chshdng: (state, isShaded) => setGround(state, isShaded, undefined),
    charscalex: (state, _isOn, number) => void (state.format = { ...state.format, stretch: number ?? 100 }),
  } satisfies Record<string, (state: RtfState, isOn: boolean, number: number | undefined) => void>)

/** Applies a control word of character formatting to the state. @returns false for other words */
export function setLetters(state: RtfState, word: string, number: number | undefined): boolean {
  const set = LETTER_WORDS[word]
  set?.(state, number !== 0, number)
  return set !== undefined
}

/** Applies a control word of paragraph formatting to the state. @returns false for other words */
export function setParagraph(state: RtfState, word: string, number: number | undefined, sheets: RtfSheets): boolean {
  const change = (said: Partial<RtfParagraph>): boolean => {
    const next = { ...state.paragraph, ...said }
    const headingLevel = next.outline ?? sheets.headingLevelOf(next.style)
    state.paragraph = { ...next, headingLevel, kind: sheets.kindOf(next.style) }
    return true
  }
  switch (word) {
    case 'pard':
      state.paragraph = PLAIN_PARAGRAPH
      return true
    case 's':
      return change({ style: number })
    case 'outlinelevel':
      return change({ outline: number !== undefined && number >= 0 && number <= 8 ? number + 1 : undefined })
    case 'ls':
      return change({ list: number !== undefined && number > 0 ? number : undefined })
    case 'ilvl':
      return change({ level: Math.min(8, Math.max(0, number ?? 0)) })
    case 'li':
    case 'lin':
      return change({ indent: Math.max(0, number ?? 0) })
    case 'dropcapli':
      return change({ isDropCap: true })
    case 'cbpat':
    case 'shading':
      return change({ isShaded: number !== 0 })
    case 'intbl':
      return change({ inTable: true })
    default:
      return false
  }
}

/** Ends a line, a paragraph, a cell or a row of the text. @returns false for other words */
export function addBreak({ story, paragraph, isHidden }: RtfState, word: string, row: RtfRowPlan): boolean {
  switch (word) {
    case 'par':
    case 'sect':
    case 'nestcell':
    case '\n':
    case '\r':
      story.endParagraph(paragraph)
      return true
    case 'line':
      if (!isHidden) story.node(createElement('br'))
      return true
    case 'cell':
      story.endCell(paragraph)
      return true
    case 'row':
      story.endRow(row.cells, row.isHead)
      return true
    default:
      return false
  }
}
