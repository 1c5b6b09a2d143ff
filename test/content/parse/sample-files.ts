import type * as parsers from '../../../src/content/parse/parsers/index.js'
import { officeSamples } from '../office/office-samples.js'
import { lines, makePdf } from '../pdf/make-pdf.js'
import { bytes } from './pages.js'

/** A file as it comes. */
export interface SampleFile {
  readonly mediaType: string
  readonly body: Uint8Array
}

/** A file for each parser, and the media type that it comes with: what the contract is shown on, and broken files begin as. */
const files: Readonly<Record<keyof typeof parsers, readonly [mediaType: string, body: string | Uint8Array]>> = {
  csv: ['text/csv', 'a,b\n1,2'],
  html: ['text/html', '<title>t</title><p>Hello</p>'],
  json: ['application/json', '{"a": [1, 2]}'],
  markdown: ['text/markdown', '# Hello\n\n[there](/x)'],
  pdf: ['application/pdf', makePdf([{ pieces: lines(['Hello'], { x: 72, y: 72 }) }])],
  plainText: ['text/plain', 'Hello'],
  sourceCode: ['text/x-python', 'pass\n'],
  ...officeSamples,
  svg: ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><text>Hello</text></svg>'],
  xml: ['application/xml', '<?xml version="1.0"?><a>Hello</a>'],
}

export const sampleFiles: ReadonlyMap<string, SampleFile> = new Map(
  Object.entries(files).map(([name, [mediaType, body]]) => [
    name,
    { mediaType, body: typeof body === 'string' ? bytes(body) : body },
  ]),
)
