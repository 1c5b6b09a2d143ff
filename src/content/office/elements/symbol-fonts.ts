/** Symbol fonts: their text is stored as letters but displayed as other characters. */
export type SymbolFont = 'symbol' | 'wingdings' | 'wingdings 2' | 'wingdings 3'

/**
 * Characters from code 0x20 on; a space where Unicode has no equivalent.
 *
 * @see https://www.unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt
 */
const SYMBOL = [
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_',
  '‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ ',
  ' '.repeat(32),
  '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭ ',
].join('')

/** Characters by code, in hexadecimal. @see https://www.unicode.org/L2/L2012/12368-n4384.pdf */
const WINGDINGS =
  '21✏ 22✂ 23✁ 26📖 28☎ 29✆ 2a✉ 36⌛ 3e✇ 3f✍ 41✌ 42👌 43👍 44👎 45☜ 46☞ 47☝ 48☟ 4a☺ 4b😐 4c☹ 4d💣 4e☠ 51✈ 52☼ 53💧 54❄ ' +
  '58✠ 59✡ 5a☪ 5b☯ 5d☸ 6c● 6d○ 6e■ 6f☐ 70☐ 71☐ 72☐ 73⬧ 74⧫ 75◆ 76❖ 77⬥ 78☒ 7a⌘ 7d❞ 7e❝ 80⓪ 81① 82② 83③ 84④ 85⑤ 86⑥ 87⑦ 88⑧ ' +
  '89⑨ 8a⑩ 8c❶ 8d❷ 8e❸ 8f❹ 90❺ 91❻ 92❼ 93❽ 94❾ 95❿ 9e· 9f• a0▪ a1○ a4◉ a5◎ a7▪ a8☐ aa✦ ab★ ac✶ ad✴ ae✹ af✵ b7• d8➢ dc➲ ' +
  'df← e0→ e1↑ e2↓ e3↖ e4↗ e5↙ e6↘ e7← e8→ e9↑ ea↓ ef⇦ f0⇨ f1⇧ f2⇩ f3⬄ f4⇳ fb✗ fc✓ fd☒ fe☑'

const WINGDINGS_2 = '4f✗ 50✓ 51☒ 52☑ 53☒ 54☒ 97● 98● 99● a2■ a3☐ a4☐ ae◆ '

const WINGDINGS_3 = '66← 67→ 68↑ 69↓ 6a↖ 6b↗ 6c↙ 6d↘ 70▲ 71▼ 72△ 73▽ 74◀ 75▶ 7d▶ 7c◀ 80◄'

const TABLES: Readonly<Record<SymbolFont, ReadonlyMap<number, string>>> = {
  symbol: new Map(Array.from(SYMBOL, (sign, at) => [at + 0x20, sign])),
  wingdings: readTable(WINGDINGS),
  'wingdings 2': readTable(WINGDINGS_2),
  'wingdings 3': readTable(WINGDINGS_3),
}

function readTable(text: string): ReadonlyMap<number, string> {
  return new Map(
    text
      .trim()
      .split(/\s+/)
      .map((entry) => [Number.parseInt(entry.slice(0, 2), 16), entry.slice(2)]),
  )
}

/** Returns the symbol font of this name; numbers of font copies are ignored. */
export function symbolFontOf(name: string | undefined): SymbolFont | undefined {
  const known = (name ?? '')
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$|;$/g, '')
    .replace(/^(symbol|wingdings)\d{1,3}$/, '$1')
  return isSymbolFont(known) ? known : undefined
}

const isSymbolFont = (name: string): name is SymbolFont => Object.hasOwn(TABLES, name)

/** Start of the private use area of Unicode, where programs store the characters of symbol fonts. */
const PRIVATE_USE_START = 0xf000

/** Returns the character of a code in a symbol font; empty if Unicode has none. */
export function symbolAt(place: number, font: SymbolFont): string {
  return TABLES[font].get(place >= PRIVATE_USE_START ? place - PRIVATE_USE_START : place)?.trim() ?? ''
}

/** Decodes text in a symbol font to the displayed characters. */
export function decodeSymbols(text: string, font: SymbolFont): string {
  let signs = ''
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    // Characters outside both ranges are Unicode characters already.
    const isPlace =
      (code > 0x20 && code < 0x100 && code !== 0xa0) || (code > PRIVATE_USE_START && code < PRIVATE_USE_START + 0x100)
    signs += isPlace ? symbolAt(code, font) : letter
  }
  return signs
}
