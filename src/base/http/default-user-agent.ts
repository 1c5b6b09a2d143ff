import { VERSION } from '../runtime/version.js'

/** The user agent of requests whose headers and engine set none. */
export const defaultUserAgent = `trawl/${VERSION}`
