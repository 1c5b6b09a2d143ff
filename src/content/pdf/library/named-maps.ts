/**
 * Creates the CMaps that fonts in Chinese, Japanese and Korean files refer to by name, such as `90ms-RKSJ-H`. The library
 * includes none, and leaves out the text in fonts whose CMap is missing.
 *
 * Such a map gives numbers of glyphs in a collection of Adobe, and a second one, such as `Adobe-Japan1-UCS2`, gives their
 * characters. To need no tables, these maps number the glyphs in the order of Unicode, above the numbers of the collection.
 *
 * @see ISO 32000-1 section 9.7.5.2
 */
export class NamedMaps {
  readonly isCompressed = false

  fetch({
    name,
  }: {
    readonly name: string
  }): Promise<{ readonly cMapData: Uint8Array; readonly isCompressed: boolean }> {
    const map = writeMap(name)
    if (map === undefined) return Promise.reject(new Error(`The CMap ${name} is not supported.`))
    return Promise.resolve({ cMapData: new TextEncoder().encode(map), isCompressed: this.isCompressed })
  }
}

type Range = readonly [first: number, last: number]

/** Glyphs of one script. */
interface Collection {
  /** Characters other than ASCII, with the number of the first glyph of each range. */
  readonly ranges: readonly { readonly first: number; readonly last: number; readonly glyph: number }[]
  /** First glyph of the ASCII characters of half width, from the space. That of the proportional ones is 1. */
  readonly halfWidth: number
}

/** Last number of a glyph. */
const LAST_GLYPH = 65_535

function collect(halfWidth: number, characters: readonly Range[]): Collection {
  let glyph = LAST_GLYPH + 1 - characters.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  const ranges = characters.map(([first, last]) => {
    const range = { first, last, glyph }
    glyph += last - first + 1
    return range
  })
  return { ranges, halfWidth }
}

const CHARACTERS: readonly Range[] = [
  [0xa0, 0x45f],
  [0x2000, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0xfe30, 0xffef],
]

const COLLECTIONS = {
  GB1: collect(814, CHARACTERS),
  CNS1: collect(13_648, CHARACTERS),
  Japan1: collect(231, CHARACTERS),
  Korea1: collect(8094, [...CHARACTERS, [0xac00, 0xd7a3]]),
} as const

/** Encoding of text by bytes. */
interface Encoding {
  /** Matches the names of its maps. */
  readonly names: RegExp
  /** Its name for `TextDecoder`. */
  readonly label: string
  readonly collection: Collection
  /** Codes of one byte, other than ASCII. */
  readonly single: readonly Range[]
  /** Codes of two bytes. */
  readonly double: readonly Range[]
}

const ENCODINGS: readonly Encoding[] = [
  {
    names: /^(?:GB|GBpc|GBKp?)-EUC-[HV]$/,
    label: 'gbk',
    collection: COLLECTIONS.GB1,
    single: [],
    double: [[0x8140, 0xfefe]],
  },
  {
    names: /^(?:B5pc|(?:ETen|ETenms|HKscs)-B5)-[HV]$/,
    label: 'big5',
    collection: COLLECTIONS.CNS1,
    single: [],
    double: [[0x8140, 0xfefe]],
  },
  {
    names: /^(?:(?:83pv|90msp?|90pv|Add|Ext)-)?RKSJ-[HV]$/,
    label: 'shift_jis',
    collection: COLLECTIONS.Japan1,
    single: [[0xa0, 0xdf]],
    double: [
      [0x8140, 0x9ffc],
      [0xe040, 0xfcfc],
    ],
  },
  {
    names: /^EUC-[HV]$/,
    label: 'euc-jp',
    collection: COLLECTIONS.Japan1,
    single: [],
    double: [
      [0x8ea0, 0x8edf],
      [0xa1a1, 0xfefe],
    ],
  },
  {
    names: /^(?:KSC(?:pc)?-EUC|KSCms-UHC(?:-HW)?)-[HV]$/,
    label: 'euc-kr',
    collection: COLLECTIONS.Korea1,
    single: [],
    double: [[0x8141, 0xfefe]],
  },
]

/** Matches the names of maps of Unicode: `UniJIS-UCS2-HW-V`. */
const UNICODE = /^Uni(GB|CNS|JIS|KS)(?:2004|Pro|X0213|X02132004)?-(?:UCS2|UTF16|UTF(32))-(?:HW-)?[HV]$/
const BY_NAME = { GB: 'GB1', CNS: 'CNS1', JIS: 'Japan1', KS: 'Korea1' } as const

/** Matches the names of maps by which ASCII characters have half width. */
const HALF_WIDTH = /-HW-|^(?:GBK?|KSC)-EUC|^(?:ETen|HKscs)-B5|^(?:(?:90ms|Add|Ext)-)?RKSJ|^EUC/

/** Writes a map of codes to glyphs, or of glyphs to characters. Returns nothing for other names. */
function writeMap(name: string): string | undefined {
  const [, ordering] = /^Adobe-(GB1|CNS1|Japan1|Korea1)-UCS2$/.exec(name) ?? []
  if (ordering !== undefined) return frame(name, [], writeCharacters(COLLECTIONS[ordering as keyof typeof COLLECTIONS]))
  const [, script, wide] = UNICODE.exec(name) ?? []
  if (script !== undefined) {
    const bytes = wide === undefined ? 2 : 4
    const codes: Range[] = bytes === 4 ? [[0, 0x10ffff]] : [[0, 0xffff]]
    const collection = COLLECTIONS[BY_NAME[script as keyof typeof BY_NAME]]
    const rows = collection.ranges.map(({ first, last, glyph }) => writeRange([first, last], bytes, glyph))
    return frame(name, writeSpaces(codes, bytes), cidRanges([writeAscii(name, collection, bytes), ...rows]))
  }
  const encoding = ENCODINGS.find(({ names }) => names.test(name))
  if (encoding === undefined) return undefined
  const { collection, single, double } = encoding
  const spaces = [...writeSpaces([[0, 0x80], ...single], 1), ...writeSpaces(double, 2)]
  return frame(name, spaces, cidRanges([writeAscii(name, collection, 1), ...writeCodes(encoding)]))
}

const frame = (name: string, spaces: readonly string[], ranges: readonly string[]): string =>
  [
    `begincmap /CMapName /${name} def /WMode ${name.endsWith('V') ? 1 : 0} def`,
    ...(spaces.length === 0 ? [] : [`${spaces.length} begincodespacerange`, ...spaces, 'endcodespacerange']),
    ...ranges,
    'endcmap',
  ].join('\n')

const cidRanges = (rows: readonly string[]): string[] => [`${rows.length} begincidrange`, ...rows, 'endcidrange']

const writeSpaces = (ranges: readonly Range[], bytes: number): string[] =>
  ranges.map(([first, last]) => `<${hex(first, bytes)}> <${hex(last, bytes)}>`)

const writeRange = ([first, last]: Range, bytes: number, glyph: number): string =>
  `<${hex(first, bytes)}> <${hex(last, bytes)}> ${glyph}`

const writeAscii = (name: string, { halfWidth }: Collection, bytes: number): string =>
  writeRange([0x20, 0x7e], bytes, HALF_WIDTH.test(name) ? halfWidth : 1)

const hex = (number: number, bytes: number): string => number.toString(16).padStart(2 * bytes, '0')

/** Writes the codes of an encoding that stand for one character, with its glyph. */
function writeCodes({ label, collection, single, double }: Encoding): string[] {
  const decoder = new TextDecoder(label)
  const rows: string[] = []
  const add = (code: number, bytes: number, sequence: readonly number[]): void => {
    const [character = '', ...others] = decoder.decode(Uint8Array.from(sequence))
    const glyph = others.length === 0 ? glyphOf(character.codePointAt(0) ?? 0, collection) : undefined
    if (glyph !== undefined) rows.push(writeRange([code, code], bytes, glyph))
  }
  for (const [first, last] of single) for (let code = first; code <= last; code += 1) add(code, 1, [code])
  for (const [first, last] of double)
    for (let code = first; code <= last; code += 1) add(code, 2, [code >> 8, code & 0xff])
  return rows
}

function glyphOf(character: number, { ranges }: Collection): number | undefined {
  const range = ranges.find(({ first, last }) => character >= first && character <= last)
  return range && range.glyph + character - range.first
}

/** Number of control characters from U+0001 on. */
const CONTROLS = 31

/**
 * Writes the characters of glyphs. Glyphs that only the tables of the collection would tell are control characters, by which
 * text in them is recognized as garbled.
 */
function writeCharacters({ ranges, halfWidth }: Collection): string[] {
  const rows: string[] = []
  const add = (first: number, last: number, character: number): void => {
    rows.push(`<${hex(first, 2)}> <${hex(last, 2)}> <${hex(character, 2)}>`)
  }
  const end = ranges[0]?.glyph ?? 0
  for (let glyph = 0; glyph < end; glyph += CONTROLS) add(glyph, Math.min(glyph + CONTROLS, end) - 1, 1)
  for (const glyph of [1, halfWidth]) add(glyph, glyph + 0x5e, 0x20)
  for (const { first, last, glyph } of ranges) add(glyph, glyph + last - first, first)
  return [`${rows.length} beginbfrange`, ...rows, 'endbfrange']
}
