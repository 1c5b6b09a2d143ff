import type { Capture } from '../../kernel/fetch/capture.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'

/** Reads what a format's capture took of a page; undefined when the page did not come from a browser. */
export const readCapture = <Result>(
  { captures }: FetchedPage,
  type: string,
  _capture: Capture<{ type: string }, object, Result>,
): Result | undefined => captures?.[type] as Result | undefined
