import { expect, it } from 'vitest'
import { Fonts } from '../../../src/content/pdf/objects/read-fonts.js'
import { readRuns } from '../../../src/content/pdf/objects/read-runs.js'

const textOf = (str: string): string | undefined => {
  const item = { str, dir: 'ltr', transform: [10, 0, 0, 10, 0, 0], width: 50, height: 10, fontName: 'F' }
  return readRuns({ items: [item], styles: {} }, [1, 0, 0, 1, 0, 0], new Fonts()).upright[0]?.text
}

it.each([
  ['an e\u001ecient \u001clter in \u001dight, o\u001b', 'an efficient filter in flight, off'],
  ['pages 12\u001518 \u0016 or more \u0015', 'pages 12–18 — or more  '],
  ['\u0010quoted,\u0011 he said', '“quoted,” he said'],
  // Numbers of glyphs of other fonts.
  ['\u0003\u001c\u001d 5', '  5'],
])('ligatures, dashes and quotation marks of the bitmap fonts of TeX are read beside letters: %j', (drawn, read) => {
  expect(textOf(drawn)).toBe(read)
})
