import type { Branding } from './branding.js'
import type { PageContext } from './browser-page.js'
import type { ScreenshotImage, ScreenshotOptions } from './screenshot-options.js'

/** What each capture is asked for with. A capture that needs nothing has an empty object. */
export interface CaptureOptions {
  readonly screenshot: ScreenshotOptions
  readonly branding: Readonly<Record<string, never>>
}

/** What each capture brings: raw material that is kept with the page, and made into a field of the document later. */
export interface CaptureResults {
  readonly screenshot: ScreenshotImage
  readonly branding: Branding
}

/** The captures that a page is asked for, by name. A page with any of them needs a browser. */
export type CapturePlan = { readonly [Name in keyof CaptureOptions]?: CaptureOptions[Name] }

/** What was captured, by name. */
export type Captures = { readonly [Name in keyof CaptureResults]?: CaptureResults[Name] }

/**
 * Something that only a browser can take of a page, for a format. Plug-ins of `fetch/captures/` implement this.
 *
 * Captures come after all actions and after the content was taken, in the order of the registry. Each leaves the page
 * as it found it: window size and scroll position too.
 * @internal
 */
export interface Capture<Name extends keyof CaptureOptions> {
  readonly name: Name
  /** @throws anything: the page fails with what was thrown */
  take(stage: PageContext, options: CaptureOptions[Name]): Promise<CaptureResults[Name]>
}
