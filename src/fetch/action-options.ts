import type { ScreenshotOptions } from './screenshot-options.js'

/** Waits for a time, or for an element: exactly one of the two is given. */
export interface WaitAction {
  type: 'wait'
  /** Milliseconds, from 1. */
  milliseconds?: number | undefined
  /** Waits until an element matches, at most 30 seconds. */
  selector?: string | undefined
}

/** Clicks on an element. */
export interface ClickAction {
  type: 'click'
  /** The first match is clicked. */
  selector: string
  /** Click on every match, and on none when there is none. @default false */
  all?: boolean | undefined
}

/** Takes a picture, into `actions.screenshots`. */
export interface ScreenshotAction extends ScreenshotOptions {
  type: 'screenshot'
}

/** Types text into the element that has the focus: click on it first. */
export interface WriteAction {
  type: 'write'
  text: string
}

/** Presses a key. */
export interface PressAction {
  type: 'press'
  /** The key's name, e.g. `Enter`. */
  key: string
}

/** Scrolls the page, or an element. */
export interface ScrollAction {
  type: 'scroll'
  /** @default 'down' */
  direction?: 'up' | 'down' | undefined
  /** The element that is scrolled. The page when absent. */
  selector?: string | undefined
}

/** Keeps the page as it stands, in `actions.scrapes`. */
export interface ScrapeAction {
  type: 'scrape'
}

/** Runs a script on the page; what it comes to goes into `actions.javascriptReturns`. */
export interface ExecuteJavascriptAction {
  type: 'executeJavascript'
  script: string
}

/** Sizes of paper that a page is printed on. */
export const paperFormats = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const

/** Prints the page, into `actions.pdfs`. */
export interface PdfAction {
  type: 'pdf'
  /** @default 'Letter' */
  format?: (typeof paperFormats)[number] | undefined
  /** @default false */
  landscape?: boolean | undefined
  /** Of the print, against 1 for its natural size. @default 1 */
  scale?: number | undefined
}

/** One step on a page, before its content is taken. @see docs/compatibility.md#actions */
export type Action =
  | WaitAction
  | ClickAction
  | ScreenshotAction
  | WriteAction
  | PressAction
  | ScrollAction
  | ScrapeAction
  | ExecuteJavascriptAction
  | PdfAction
