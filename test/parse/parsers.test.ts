import { describe, expect, it } from 'vitest'
import * as parsers from '../../src/parse/parsers/index.js'
import { parserContract } from '../contracts/parser.contract.js'
import { bytes } from './pages.js'

/** A file for each parser, and the media type that it comes with. */
const files: Record<keyof typeof parsers, readonly [mediaType: string, body: string]> = {
  html: ['text/html', '<title>t</title><p>Hello</p>'],
  json: ['application/json', '{"a": [1, 2]}'],
  markdown: ['text/markdown', '# Hello\n\n[there](/x)'],
  plainText: ['text/plain', 'Hello'],
  xml: ['application/xml', '<?xml version="1.0"?><a>Hello</a>'],
}

for (const [name, parser] of Object.entries(parsers)) {
  const [mediaType, body] = files[name as keyof typeof parsers]
  describe(name, () => parserContract(parser, mediaType, bytes(body)))
}

it('leaves each media type to one parser', () => {
  for (const [mediaType, body] of Object.values(files)) {
    expect(Object.values(parsers).filter((parser) => parser.accepts(mediaType, bytes(body))).length).toBe(1)
  }
})
