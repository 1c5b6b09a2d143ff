import type { ConvertFormat } from '../../../src/content/convert/convert.js'

/** The longest path that servers and browsers take. */
export const LONG_PATH = 'p'.repeat(7700)

/** Writes many pieces, one after another. */
export const repeatPieces = (write: (at: number) => string, count: number): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('')

/** The formats that grow with a page. */
export const growingFormats: readonly ConvertFormat[] = [
  { type: 'markdown' },
  { type: 'html' },
  { type: 'links' },
  { type: 'images' },
  { type: 'chunks', maxTokens: 100 },
]
