import type { DigestPart } from '../content/digest/digest-part.js'
import type { DigestRewriter } from '../content/digest/rewriter.js'
import { boilerplate } from './boilerplate/digest-part.js'
import { redactPii } from './redact-pii/digest-rewriter.js'

/** Parts of features in digests. A file of its own, as `tasks.ts`: threads have all code that it leads to. */
export const digestParts: readonly DigestPart[] = [boilerplate]

/** Features that rewrite digests. */
export const digestRewriters: readonly DigestRewriter[] = [redactPii]
