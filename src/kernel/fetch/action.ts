import type { ScreenshotImage } from './screenshot-options.js'

/** The results of a page's actions, each kind in order of execution. @see docs/compatibility/requests.md#actions */
export interface ActionResults<Screenshot = string, Pdf = string> {
  /** Screenshots, one for each `screenshot` action: URLs of the engine's `media` sink, or `data:` URIs without one. */
  screenshots: Screenshot[]
  /** The page's HTML, one for each `scrape` action. */
  scrapes: { url: string; html: string }[]
  /** Results of scripts, one for each `executeJavascript` action. */
  javascriptReturns: { type: string; value: unknown }[]
  /** PDF files, one for each `pdf` action, as URLs like `screenshots`. */
  pdfs: Pdf[]
}

/** The results before their files are published: images, and the bytes of PDF files. */
export type RawActionResults = ActionResults<ScreenshotImage, Uint8Array>
