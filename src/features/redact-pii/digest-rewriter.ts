import type { DigestRewriter } from '../../content/digest/rewriter.js'
import { type RedactionNote, type RedactionSlice, Redactor } from './redactor.js'

/** Redacts what is read of a page, where it is read. */
export const redactPii: DigestRewriter = {
  feature: 'redact-pii',
  open: ({ options, note }) => new Redactor(options as unknown as RedactionSlice, note as RedactionNote | undefined),
}
