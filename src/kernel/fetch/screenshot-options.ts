/** Size of the browser window in CSS pixels. */
interface Viewport {
  /** 1 to 7680. */
  width: number
  /** 1 to 4320. */
  height: number
}

/** Options of a screenshot. */
export interface ScreenshotOptions {
  /** Captures the whole page instead of the visible part. @default false */
  fullPage?: boolean
  /** JPEG quality, 1 to 100. @default a lossless PNG image */
  quality?: number
  /** Size of the window for the screenshot. */
  viewport?: Viewport
}

/** A screenshot of a page. */
export interface ScreenshotImage {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly bytes: Uint8Array
  /** Describes what the image does not show: a sentence. */
  readonly warning?: string
}
