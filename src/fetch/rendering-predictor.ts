/**
 * What a job has learnt about which pages need a browser, by the making of their URLs. One for a job; a job that has
 * seen a few pages of a making spares the others the detour.
 */
export interface RenderingPredictor {
  /** What to expect of this URL: undefined as long as too little is known. */
  predict(url: string): 'http' | 'browser' | undefined
  /**
   * Notes a page that was looked at both ways.
   *
   * @param gained whether the browser's page had text that the other had not
   */
  record(url: string, gained: boolean): void
  /** Notes a page whose text came by HTTP: others of its making are then looked at before a browser is asked. */
  recordPlain(url: string): void
}
