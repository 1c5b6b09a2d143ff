import { describe, expect, it } from 'vitest'
import * as parsers from '../../src/parse/parsers/index.js'
import { parserContract } from '../contracts/parser.contract.js'
import { lines, makePdf } from '../pdf/make-pdf.js'
import { bytes } from './pages.js'

/** A file for each parser, and the media type that it comes with. */
const files: Record<keyof typeof parsers, readonly [mediaType: string, body: string | Uint8Array]> = {
  html: ['text/html', '<title>t</title><p>Hello</p>'],
  json: ['application/json', '{"a": [1, 2]}'],
  markdown: ['text/markdown', '# Hello\n\n[there](/x)'],
  pdf: ['application/pdf', makePdf([{ pieces: lines(['Hello'], { x: 72, y: 72 }) }])],
  plainText: ['text/plain', 'Hello'],
  xml: ['application/xml', '<?xml version="1.0"?><a>Hello</a>'],
}

const toBytes = (body: string | Uint8Array): Uint8Array => (typeof body === 'string' ? bytes(body) : body)

for (const [name, parser] of Object.entries(parsers)) {
  const [mediaType, body] = files[name as keyof typeof parsers]
  describe(name, () => parserContract(parser, mediaType, toBytes(body)))
}

it('leaves each media type to one parser', () => {
  for (const [mediaType, body] of Object.values(files)) {
    expect(Object.values(parsers).filter((parser) => parser.accepts(mediaType, toBytes(body))).length).toBe(1)
  }
})
