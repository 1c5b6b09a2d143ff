import { findRoot, pageDocument } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'

/** Returns the encoding as which the document was read, and whether it has characters that this encoding did not give. */
export const readEncoding: PageFunctions['readEncoding'] = () => ({
  encoding: pageDocument.characterSet.toLowerCase(),
  isBroken: findRoot()?.textContent.includes('\ufffd') ?? false,
})
