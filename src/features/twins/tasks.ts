import { compareTwin, type TwinPair, type TwinVerdict } from './compare-twin.js'
import { findTwinLink } from './find-twin-link.js'

/** Tasks that run in worker threads. */
export { compareTwin, findTwinLink }

/** Maximum size of what the tasks read in the caller's thread, where there are no others. Bytes. */
const SMALL_BYTES = 65_536

/** Compares in the caller's thread, where there is no other. @returns undefined for texts that would hold it up */
export const compareHere = (pair: TwinPair): TwinVerdict | undefined =>
  pair.body.byteLength + pair.markdown.length <= SMALL_BYTES ? compareTwin(pair) : undefined

/** True for a page that is read in the caller's thread: its transfer would take longer. */
export const isSmall = (body: Uint8Array): boolean => body.byteLength <= SMALL_BYTES
