import { decodeText } from '../../encoding/decode-text.js'
import type { Parser } from '../parser.js'
import { mediaTypeOf } from '../media-type/sniff-media-type.js'
import { languageOfType } from '../media-type/source-languages.js'
import { fence, makeVerbatimPage } from '../pages/verbatim-page.js'

/** Reads source code, style sheets and configuration files as a code block with its language. */
export const sourceCode: Parser = {
  name: 'source-code',
  accepts: (mediaType) => languageOfType(mediaType) !== undefined,
  parse(input) {
    const text = decodeText(input, 'text')
    return makeVerbatimPage(input, text, fence(text, languageOfType(mediaTypeOf(input)) ?? ''))
  },
}
