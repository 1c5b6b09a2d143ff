import { expect, it } from 'vitest'
import { toSentence } from '../../../src/base/text/to-sentence.js'

it.each([
  ['the cache could not be read: disk on fire', 'The cache could not be read: disk on fire.'],
  ['the ledger failed (disk full)', 'The ledger failed (disk full).'],
  ['A whole sentence. (And its remark.)', 'A whole sentence. (And its remark.)'],
  ['`prompt` set no option, see `limit`', '`prompt` set no option, see `limit`.'],
  ['https://a.example/ is not allowed', 'https://a.example/ is not allowed.'],
  ['yt-dlp is absent', 'yt-dlp is absent.'],
])('makes a sentence of %j', (warning, sentence) => expect(toSentence(warning)).toBe(sentence))
