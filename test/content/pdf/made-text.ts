import { lines, type PageContent, type Piece } from './make-pdf.js'

/** A PDF file made for the test of what is read of it. */
export interface MadeFile {
  readonly name: string
  readonly pages: readonly PageContent[]
  /** Texts that its reader wants: each is in the Markdown once, in this order. */
  readonly wanted: readonly string[]
  /** Texts that are read as often as they stand in the file, such as the same title on each slide. */
  readonly repeated?: Readonly<Record<string, number>>
  /** Heads, feet and numbers of its pages: they are not in the Markdown. */
  readonly gone?: readonly (string | RegExp)[]
}

export const WORDS =
  'pier harbour lantern signal keeper weather northern island ferry timetable anchor quiet morning beacon captain storm rope sail tide chart compass rudder gale buoy'.split(
    ' ',
  )

/** A sentence of words that no other place in the file has in this order. */
export function sentence(seed: number, words = 14): string {
  let state = seed * 7919 + 104_729
  const next = (): number => (state = (state * 48_271) % 2_147_483_647)
  const text = Array.from({ length: words }, () => WORDS[next() % WORDS.length])
  return `Note ${spell(seed)}: ${text.join(' ')}.`
}

/** A number in letters, so that no digit tells places apart. */
export function spell(value: number): string {
  const letters = 'abcdefghij'
  return `z${String(value)
    .split('')
    .map((digit) => letters[Number(digit)])
    .join('')}`
}

export const count = (length: number): number[] => Array.from({ length }, (_, index) => index)

/** A page of sentences, a paragraph each, from `y` on. */
export const body = (
  page: number,
  amount: number,
  place: Partial<Omit<Piece, 'text'>> = {},
): { pieces: Piece[]; wanted: string[] } => {
  const texts = count(amount).map((line) => sentence(page * 100 + line, (place.size ?? 10) > 12 ? 6 : 11))
  return { pieces: lines(texts, { x: 72, y: 110, ...place }, 24), wanted: texts }
}

/** Pages of text, each with what else stands on it. */
export function pagesOf(
  amount: number,
  more: (page: number) => readonly Piece[],
  textLines = 22,
  size = 10,
): { pages: PageContent[]; wanted: string[] } {
  const made = count(amount).map((page) => body(page, textLines, { size }))
  return {
    pages: made.map(({ pieces }, page) => ({ pieces: [...more(page), ...pieces] })),
    wanted: made.flatMap(({ wanted }) => wanted),
  }
}

export const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x']
export const NAMES = [
  'Anna Smith',
  'Ben Fischer',
  'Carla Rossi',
  'David Novak',
  'Eva Lindqvist',
  'Femi Okoro',
  'Gita Rao',
  'Hugo Martin',
]
export const NUMBER_WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
