/** Which browser is used and how much of it. One for an engine. */
export interface BrowserOptions {
  /** A Chromium or Chrome on this machine. @default the first that is found: see `findBrowser` */
  readonly executablePath?: string
  /**
   * A browser that runs already, by the address of its DevTools (`http://127.0.0.1:9222`, `ws://…`). It is connected
   * to, not closed. It must be able to connect to this process on its loopback address: that is how its pages are
   * kept to the egress policy. Where the system says whose a connection is (Linux), it must run as the user of this
   * process, or as the one that listens at that address. Its pages have no `RTCPeerConnection` and no `WebTransport`.
   */
  readonly cdpEndpoint?: string
  /** Pages open at once; more wait. @default what `maxConcurrency` is, and no more than two for each core, at least 2 */
  readonly maxPages: number
  /** A browser is replaced by a new one after so many pages, so that what it leaks is given back. @default 100 */
  readonly pagesPerBrowser: number
  /** Chromium's own sandbox. @default where it works: not for root, and not where the system has it switched off */
  readonly sandbox?: boolean
}
