import type { ScreenshotImage, ScreenshotOptions } from './screenshot-options.js'

/** An open page, as captures receive it. The feature that renders pages says what it is, by declaration merging. @internal */
// oxlint-disable-next-line typescript/no-empty-object-type -- a feature fills it
export interface CaptureContext {}

/**
 * Captures data of a page in the browser, for the output format that defines it. A page of such a format needs a browser.
 *
 * Captures run after all actions and after the content is read. Each restores the page, including window size and scroll
 * position.
 *
 * @typeParam Item the format's item in `formats`
 * @typeParam Options what is stored with a page, to compare it with later requests
 * @typeParam Result data that is stored with the page: JSON, but for the bytes of a screenshot
 * @internal
 */
export interface Capture<Item extends { type: string }, Options extends object, Result> {
  /** Picks the options of the capture, normalised: a cached page is used only for the same ones. */
  plan(item: Item): Options
  /** @throws any error: the page fails with it */
  take(context: CaptureContext, options: Options): Promise<Result>
}

/** Captures by the type of their format, in the order in which they are taken. @internal */
export type CapturesByType = ReadonlyMap<string, Capture<{ type: string }, object, unknown>>

/** Options of the requested captures, by the type of their format. */
export interface CapturePlan {
  readonly screenshot?: ScreenshotOptions
  readonly [type: string]: object | undefined
}

/** Results of the captures, by the type of their format. */
export interface Captures {
  readonly screenshot?: ScreenshotImage
  readonly [type: string]: unknown
}
