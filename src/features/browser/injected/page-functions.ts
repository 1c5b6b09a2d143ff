import type { MoreSign } from '../../../base/text/more-of-list.js'
import type { UnseenMarks } from '../../../base/text/unseen-marks.js'
import sources from './page-functions.json' with { type: 'json' }

/** A scroll position in the document. CSS pixels. */
interface ScrollPosition {
  readonly x: number
  readonly y: number
}

interface PageSize {
  /** CSS pixels. */
  readonly width: number
  readonly height: number
  /**
   * Height of the hidden part of the element that scrolls in place of the document; 0 if the document itself scrolls.
   * CSS pixels.
   */
  readonly hidden: number
  readonly pixelRatio: number
  /** False if the document has no body, for example because a script removed it. */
  readonly hasBody: boolean
}

/** Settings of the wait for a quiet document. All durations are milliseconds. */
interface QuietOptions {
  /** The secret name that was passed to `installActivityMonitor`. */
  readonly name: string
  /** Time without a change of the tree after which the document is quiet. */
  readonly quietMs: number
  readonly maxMs: number
  /** Limit of the wait for a page that computes without a break. */
  readonly maxBusyMs: number
  /** Limit of the wait for a page whose timers go on and change nothing. */
  readonly maxIdleMs: number
}

/** Prospects of a page that is quiet. */
export interface QuietPage {
  /** True if the document, or an element in it, is longer than its view and observes scrolling: it may load more in view. */
  readonly hasMore: boolean
  /** True if the document listens to what a visitor does anywhere on it: it may load more then. */
  readonly awaitsVisitor: boolean
}

export interface SerializeQuestion {
  /** The texts that stand in the HTML for the contents of frames that were read, in the order of their elements. */
  readonly marks: readonly string[]
  /** Characters. */
  readonly maxLength: number
  /** Length up to which the HTML is returned itself. Characters. */
  readonly maxWhole: number
  /** True for the document of a frame: only the inside of its body is returned, with absolute URLs. */
  readonly isInner: boolean
  /** The URL against which the links in the HTML will be resolved. */
  readonly url: string
  /** True where the response states the encoding of the document, or nothing is known about it. */
  readonly isCharsetKnown: boolean
}

/** The encoding as which a browser has read a document. */
interface ShownEncoding {
  /** Name of the encoding standard, in lower case. */
  readonly encoding: string
  /** True if the document has U+FFFD, which stands for bytes that the encoding does not have. */
  readonly isBroken: boolean
}

/** The answer in place of HTML that is too long for one message. */
export interface LongHtml {
  readonly isLong: true
}

/**
 * A piece of HTML. It is one character shorter where it would end inside a surrogate pair; a piece that is still shorter is
 * the last. Characters.
 */
export interface HtmlPiece {
  readonly from: number
  readonly maxLength: number
}

/** The elements that match a selector. */
export interface Match {
  readonly selector: string
  /** Number of matching elements, those in open shadow roots included. */
  readonly count: number
}

/** The outcome of a click by a script. */
export type ClickOutcome = 'clicked' | 'disabled' | 'gone'

/** The outcome of a caller's script: its value as JSON, or the length of the JSON if that is too long. */
type JavascriptOutcome = { readonly json: string } | { readonly length: number }

/** Ids and classes of the elements of a page, by which the rules that hide advertisements are selected. */
export interface IdsAndClasses {
  readonly ids: readonly string[]
  readonly classes: readonly string[]
}

interface ConsentOptions {
  /** Configuration of autoconsent. */
  readonly config: unknown
  /** Rules of autoconsent. */
  readonly rules: unknown
  readonly maxMs: number
}

/** State of a list that grows. */
export interface GrowthReport {
  /** Number of rows so far, and of those that were new. */
  readonly rows: number
  readonly added: number
  /** Length of the HTML of all rows. Characters. */
  readonly length: number
  /** Evidence that the list has no further rows. */
  readonly end?: string
}

/** Step that makes a list load more: the button or the last row, one view further, or the end of what scrolls. */
type GrowthStep = 'next' | 'further' | 'end'

/**
 * The functions that run inside a page, by name. Each one is implemented in this folder, with the types of the DOM, as
 * `export const name: PageFunctions['name']`. An element is `unknown` here, because this file is also compiled without
 * the DOM.
 */
export interface PageFunctions {
  addStyle(content: string): void
  answerConsent(question: ConsentOptions, runAutoconsent: () => void): Promise<boolean>
  clickElement(element: unknown): ClickOutcome
  clickFirst(match: Match): ClickOutcome | undefined
  countDatabaseBytes(maxBytes: number): Promise<number>
  countUnloadedFrames(minSize: number): number
  findConsent(question: { selectors: readonly string[]; remove: boolean }): number
  findMore(): Exclude<MoreSign, 'scroll'> | undefined
  growList(step: GrowthStep): Promise<'clicked' | 'scrolled'>
  growsAtEnd(question: { name: string; maxMs: number }): Promise<boolean>
  hasFocus(): boolean
  sendForm(match: Match | undefined): 'sent' | 'disabled' | 'no form'
  hideCollected(): void
  installActivityMonitor(name: string): void
  listIdsAndClasses(): IdsAndClasses
  listUnseen(question: { maxTexts: number; maxMarks: number }): UnseenMarks
  measurePage(): PageSize
  measureText(): number
  openNextPanel(): boolean
  printValue(value: unknown, maxLength: number): Promise<JavascriptOutcome>
  readEncoding(): ShownEncoding
  readKeptHtml(piece: HtmlPiece): string
  readList(): GrowthReport
  removePeerConnections(): void
  runAsBody(question: { script: string; maxLength: number }): Promise<JavascriptOutcome>
  runJavascript(question: {
    script: string
    maxLength: number
    name: string
  }): Promise<JavascriptOutcome | { readonly isNone: true }>
  scrollDown(question: { maxHeight: number; minStep: number; stepMs: number }): Promise<ScrollPosition>
  scrollElement(element: unknown, isUp: boolean): void
  scrollFirst(question: Match & { readonly isUp: boolean }): boolean
  scrollPage(isUp: boolean): void
  scrollThrough(question: { name: string; maxSteps: number; stepMs: number; maxMs: number }): Promise<void>
  scrollToPosition(position: ScrollPosition): void
  serializeAndKeep(question: SerializeQuestion, ...frames: readonly unknown[]): string | LongHtml | undefined
  serializeDocument(question: SerializeQuestion): string | LongHtml | undefined
  setZoom(zoom: string): string
  showCollected(): void
  showVisitor(mayClick: boolean): Promise<boolean>
  waitForFonts(maxMs: number): Promise<void>
  waitForImages(maxMs: number): Promise<void>
  waitUntilQuiet(question: QuietOptions): Promise<QuietPage>
}

/**
 * Makes the functions of a folder of injected code: each by its name, for the browser. Playwright sends the source of a function to the
 * browser; it throws if it is called in this process.
 *
 * The sources come from the `page-functions.json` of the folder, which `build/injected.mjs` compiles. The source of a real function of
 * this process would contain calls that the host's bundler or test runner adds, such as the helper of `keepNames`.
 */
export const definePageFunctions =
  <Functions>(compiled: Readonly<Record<keyof Functions & string, string>>) =>
  <Name extends keyof Functions & string>(name: Name): Functions[Name] => {
    const unused = (): never => {
      throw new Error(`\`${name}\` runs in the browser only`)
    }
    return Object.assign(unused, { toString: () => compiled[name] }) as Functions[Name]
  }

/** Returns a function of this folder. */
export const pageFunction = definePageFunctions<PageFunctions>(sources)
