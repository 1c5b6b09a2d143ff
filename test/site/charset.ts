import { TextDecoder } from 'node:util'

const samples: readonly (readonly [labels: RegExp, text: string])[] = [
  [/^(windows-1251|koi8|iso-8859-5|ibm866)/, 'Привет, мир'],
  [/^(shift_jis|euc-jp)/, '日本語のページ'],
  [/^(gbk|gb18030|gb2312)/, '简体中文'],
  [/^big5/, '繁體中文'],
  [/^euc-kr/, '한국어 문서'],
  [/^(windows-1253|iso-8859-7)/, 'Καλημέρα κόσμε'],
  [/^(iso-8859-2|windows-1250)/, 'Příliš žluťoučký kůň'],
]

/** A few words that the charset has, in the writing it is for. */
export const sampleText = (label: string): string =>
  samples.find(([labels]) => labels.test(label.toLowerCase()))?.[1] ?? 'Grüße, déjà vu, ¿qué?'

/** Text as bytes in a charset of the WHATWG encoding standard, the stateful ISO-2022-JP aside. */
export function encodeText(text: string, label: string): Uint8Array {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true })
  if (decoder.encoding === 'utf-8') return new TextEncoder().encode(text)
  if (decoder.encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (decoder.encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  const table = tables.get(decoder.encoding) ?? readTable(decoder)
  tables.set(decoder.encoding, table)
  return Uint8Array.from(Array.from(text).flatMap((character) => table.get(character) ?? [0x3f]))
}

/** Those that were read already: one takes a second on a busy machine. */
const tables = new Map<string, ReadonlyMap<string, readonly number[]>>()

/** Every character of one or two bytes, read back from what decoding knows: Node has decoders and no encoders. */
function readTable(decoder: TextDecoder): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>()
  const note = (bytes: readonly number[]) => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes))
      if (Array.from(character).length === 1 && !table.has(character)) table.set(character, bytes)
    } catch {
      // Not a character in this charset.
    }
  }
  for (let byte = 0; byte < 256; byte++) note([byte])
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) note([lead, trail])
  return table
}
