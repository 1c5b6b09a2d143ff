/** Predicts which pages of a job need a browser, by URL template, from the pages fetched so far. */
export interface RenderingPredictor {
  /** Predicts the fetcher that a URL needs; undefined until enough pages of its template were fetched. */
  predict(url: string): 'http' | 'browser' | undefined
  /**
   * Records a page that was fetched over HTTP and by a browser.
   *
   * @param gained true when the browser's page had more text
   */
  record(url: string, gained: boolean): void
  /** Records a page whose text was in its HTML: later pages of its template are then fetched over HTTP first. */
  recordPlain(url: string): void
}
