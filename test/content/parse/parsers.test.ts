import { describe, expect, it } from 'vitest'
import * as parsers from '../../../src/content/parse/parsers/index.js'
import { parserContract } from '../../contracts/parser.contract.js'
import { sampleFiles } from './sample-files.js'

for (const [name, parser] of Object.entries(parsers)) {
  const { mediaType, body } = sampleFiles.get(name) ?? { mediaType: '', body: new Uint8Array() }
  describe(name, () => parserContract(parser, mediaType, body))
}

it('accepts each media type in one parser only', () => {
  for (const { mediaType, body } of sampleFiles.values()) {
    expect(Object.values(parsers).filter((parser) => parser.accepts(mediaType, body)).length).toBe(1)
  }
})
