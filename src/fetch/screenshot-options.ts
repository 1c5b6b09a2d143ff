/** Size of the browser's window, in CSS pixels. */
export interface Viewport {
  /** 1 to 7680. */
  width: number
  /** 1 to 4320. */
  height: number
}

/** How a picture of the page is taken. */
export interface ScreenshotOptions {
  /** The whole page instead of the part in view. @default false */
  fullPage?: boolean | undefined
  /** Quality of the picture, 1 to 100; a lossless picture when absent. */
  quality?: number | undefined
  /** Size of the window that it is taken in. */
  viewport?: Viewport | undefined
}

/** A picture of a page. */
export interface ScreenshotImage {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly bytes: Uint8Array
  /** What it does not show: a sentence. */
  readonly warning?: string
}
