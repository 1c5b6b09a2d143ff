/** Encoding labels of Windows code pages. @see https://encoding.spec.whatwg.org/#names-and-labels */
const LABELS: ReadonlyMap<number, string> = new Map([
  [708, 'iso-8859-6'],
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10_000, 'macintosh'],
  [10_007, 'x-mac-cyrillic'],
  [20_866, 'koi8-r'],
  [21_866, 'koi8-u'],
  [28_592, 'iso-8859-2'],
  [28_605, 'iso-8859-15'],
  [54_936, 'gb18030'],
  [65_001, 'utf-8'],
])

/** Code pages by the character set of a font. @see Rich Text Format Specification 1.9.1, section "Font Table" */
const CHARACTER_SETS: ReadonlyMap<number, number> = new Map([
  [77, 10_000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
])

export const codePageOf = (characterSet: number): number | undefined => CHARACTER_SETS.get(characterSet)

/** Returns the encoding label of a code page; Western European for unknown ones. */
export const labelOf = (codePage: number): string =>
  codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : (LABELS.get(codePage) ?? 'windows-1252')

/** Control words for single characters. */
export const LETTERS: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['emdash', '—'],
  ['endash', '–'],
  ['emspace', '\u2003'],
  ['enspace', '\u2002'],
  ['qmspace', '\u2005'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['~', '\u00A0'],
  ['_', '\u2011'],
  ['\\', '\\'],
  ['{', '{'],
  ['}', '}'],
])
