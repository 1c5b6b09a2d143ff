import type { DigestPart } from '../content/digest/digest-part.js'
import { boilerplate } from './boilerplate/digest-part.js'

/** Parts of features in digests. A file of its own, as `tasks.ts`: threads have all code that it leads to. */
export const digestParts: readonly DigestPart[] = [boilerplate]
