import { decodeText } from '../text/decode-text.js'
import type { Parser } from '../parser.js'
import { mediaTypeOf } from '../media-type/sniff-media-type.js'
import { languageOfType } from '../media-type/source-languages.js'
import { fence, makeVerbatimPage } from '../pages/verbatim-page.js'

/** Programs, style sheets, settings: shown in a fence that names their language, as they came. */
export const sourceCode: Parser = {
  name: 'source-code',
  accepts: (mediaType) => languageOfType(mediaType) !== undefined,
  parse(input) {
    const text = decodeText(input.body, input.contentType, 'text')
    return makeVerbatimPage(input, text, fence(text, languageOfType(mediaTypeOf(input)) ?? ''))
  },
}
