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

/**
 * Characters from 0x80 of the DOS code pages, which `TextDecoder` does not know.
 *
 * @see https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/
 */
const DOS_PAGES: ReadonlyMap<number, string> = new Map([
  [
    437,
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
      '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ],
  [
    850,
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
      '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ],
  [
    852,
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐' +
      '└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  ],
])

/** Decodes bytes by the label of their encoding. */
export type DecodeBytes = (bytes: Uint8Array, label: string) => string

/** Decodes text, of one character for each byte, by its code page. */
export function decodeText(text: string, codePage: number, decode: DecodeBytes): string {
  // oxlint-disable-next-line no-control-regex -- control characters are ASCII, too
  if (/^[\x00-\x7f]*$/.test(text)) return text
  const high = DOS_PAGES.get(codePage)
  if (high === undefined) return decode(Buffer.from(text, 'latin1'), labelOf(codePage))
  return text.replace(/[\x80-\xff]/g, (byte) => high.charAt(byte.charCodeAt(0) - 0x80))
}

/** Returns the code page of the text that a control word of the head states; undefined for other words. */
export function statedCodePage(word: string, number: number | undefined): number | undefined {
  switch (word) {
    case 'ansicpg':
      return number
    case 'mac':
      return 10_000
    case 'pc':
      return 437
    case 'pca':
      return 850
    default:
      return undefined
  }
}

export const codePageOf = (characterSet: number): number | undefined => CHARACTER_SETS.get(characterSet)

/** Returns the encoding label of a code page; Western European for unknown ones. */
const labelOf = (codePage: number): string =>
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
