import { decodeBytes } from '../../encoding/decode-text.js'
import { readOfficePage } from '../pages/office-page.js'
import type { FileParser } from '../parser.js'

/** Reads RTF files. The reference is the Rich Text Format Specification 1.9.1. */
export const rtf: FileParser = {
  name: 'rtf',
  accepts: (mediaType) => mediaType === 'application/rtf' || mediaType === 'text/rtf',
  async parseFile(input, plan) {
    const { readRtf } = await import('../../office/rtf/rtf.js')
    return readOfficePage(input, plan, (body) => readRtf(body, decodeBytes, plan))
  },
}
