/** Settings of the browser of an engine. */
export interface BrowserOptions {
  /** Path of a Chromium or Chrome on this machine. @default the first one found: see `findBrowser` */
  readonly executablePath?: string
  /**
   * DevTools address of a running browser (`http://127.0.0.1:9222`, `ws://…`). trawl connects to it and does not close
   * it. The browser must be able to connect to this process over loopback, which enforces the egress policy for its
   * pages. Where the system reports the owner of a connection (Linux), it must run as the user of this process, or as
   * the user that listens at that address. Its pages have no `RTCPeerConnection` and no `WebTransport`.
   */
  readonly cdpEndpoint?: string
  /** Concurrent pages; further ones wait. @default `maxConcurrency`, limited to two for each core, at least 2 */
  readonly maxPages: number
  /** Pages after which a browser is replaced by a new one, to free leaked memory. @default 100 */
  readonly pagesPerBrowser: number
  /** Chromium's sandbox. @default on where it works: not for root, and not where the system disables it */
  readonly sandbox?: boolean
}
