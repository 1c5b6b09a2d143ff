import type { Branding } from './branding.js'
import type { BrowserPageContext } from './browser-page.js'
import type { ScreenshotImage, ScreenshotOptions } from './screenshot-options.js'

/** The options of each capture; an empty object for one without options. */
export interface CaptureOptions {
  readonly screenshot: ScreenshotOptions
  readonly branding: Readonly<Record<string, never>>
}

/** The results of each capture: raw data stored with the page, from which formats build fields of the document. */
export interface CaptureResults {
  readonly screenshot: ScreenshotImage
  readonly branding: Branding
}

/** The requested captures by name. A page with any of them needs a browser. */
export type CapturePlan = { readonly [Name in keyof CaptureOptions]?: CaptureOptions[Name] }

/** The results by name. */
export type Captures = { readonly [Name in keyof CaptureResults]?: CaptureResults[Name] }

/**
 * Captures data that needs a browser, for a format. Plug-ins in `fetch/captures/`.
 *
 * Captures run after all actions and after the content is read, in the order of the registry. Each restores the page,
 * including window size and scroll position.
 * @internal
 */
export interface Capture<Name extends keyof CaptureOptions> {
  readonly name: Name
  /** Captures the data. Any error that it throws fails the page. */
  take(context: BrowserPageContext, options: CaptureOptions[Name]): Promise<CaptureResults[Name]>
}
