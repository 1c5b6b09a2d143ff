import type { AskedSecret } from '../../base/runtime/ask-secret.js'
import type { ScreenshotOptions } from './screenshot-options.js'

/** Waits for a time, or for an element: exactly one of both. */
export interface WaitAction {
  type: 'wait'
  /** Milliseconds, from 1. */
  milliseconds?: number
  /** Waits for a matching element, at most 30 seconds. */
  selector?: string
}

/** Clicks on an element. */
export interface ClickAction {
  type: 'click'
  /** CSS selector; the first match is clicked. */
  selector: string
  /** Clicks all matches, at most 1000; none is no error. @default false */
  all?: boolean
}

/** Takes a screenshot, returned in `actions.screenshots`. */
export interface ScreenshotAction extends ScreenshotOptions {
  type: 'screenshot'
}

/** Types text into the focused element: click it first. */
export interface WriteAction {
  type: 'write'
  text: string
}

/** Sets the value of a field: of exactly one of both. */
export interface FillAction {
  type: 'fill'
  /** CSS selector; the first match is filled in. */
  selector: string
  text?: string
  /** A function, or the name of a variable in `env` of the engine. It is asked for right before it is filled in, and never stored. */
  secret?: AskedSecret
}

/** Sends a form by its button. */
export interface SubmitAction {
  type: 'submit'
  /** CSS selector of the form, or of an element in it. @default the form with the focus, which a field has that was filled in; or the first */
  selector?: string
}

/** Presses a key. */
export interface PressAction {
  type: 'press'
  /** Name of the key, for example `Enter`. */
  key: string
}

/** Scrolls the page, or an element. */
export interface ScrollAction {
  type: 'scroll'
  /** @default 'down' */
  direction?: 'up' | 'down'
  /** CSS selector of the element to scroll. @default the page */
  selector?: string
}

/** Returns the page's HTML at this point in `actions.scrapes`. */
export interface ScrapeAction {
  type: 'scrape'
}

/** Runs a script on the page, whose result is returned in `actions.javascriptReturns`. */
export interface ExecuteJavascriptAction {
  type: 'executeJavascript'
  script: string
}

/** Paper sizes of PDF files. */
export const paperFormats = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const

/** Prints the page to PDF, returned in `actions.pdfs`. */
export interface PdfAction {
  type: 'pdf'
  /** @default 'Letter' */
  format?: (typeof paperFormats)[number]
  /** @default false */
  landscape?: boolean
  /** Scale of the print; 1 is the natural size. @default 1 */
  scale?: number
}

/** A step on the page before its content is read. @see docs/compatibility/requests.md#actions */
export type Action =
  | WaitAction
  | ClickAction
  | ScreenshotAction
  | WriteAction
  | FillAction
  | SubmitAction
  | PressAction
  | ScrollAction
  | ScrapeAction
  | ExecuteJavascriptAction
  | PdfAction

/** Facts of a kind of action that others than its code ask for. */
interface ActionTraits {
  /** True if it changes nothing on the page, and is not why the page goes to another document. */
  readonly isPassive?: true
  /** True if it only captures something: a page that is read for its links alone goes without. */
  readonly captures?: true
  /** True if its result is a file, which the engine's `media` stores. */
  readonly makesFile?: true
  /** True if its text or script may hold a secret. */
  readonly maySaySecret?: true
}

const traits: Readonly<Record<Action['type'], ActionTraits>> = {
  click: {},
  executeJavascript: { maySaySecret: true },
  fill: { maySaySecret: true },
  pdf: { isPassive: true, captures: true, makesFile: true },
  press: {},
  scrape: { isPassive: true, captures: true },
  screenshot: { isPassive: true, captures: true, makesFile: true },
  scroll: { isPassive: true },
  submit: {},
  wait: { isPassive: true },
  write: { maySaySecret: true },
}

/** Tests for an action that asks the host for a secret: only its own engine can run it, and no picture may show it. @internal */
export const asksSecret = (action: Action): boolean => action.type === 'fill' && action.secret !== undefined

/** Returns the facts of an action. @internal */
export const traitsOf = ({ type }: Action): ActionTraits => traits[type]
