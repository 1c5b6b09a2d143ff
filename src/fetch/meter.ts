/** Told of what is taken up for a page while it is fetched. */
export interface Meter {
  /** A request was sent; one that was lost with its connection and is sent again is told again. */
  sent(): void
  /** Bytes came in, as they come over the wire; from a client that decodes them itself, decoded. */
  received(bytes: number): void
  /** A page has left the browser. Milliseconds that it was in it. */
  rendered(forMs: number): void
}
