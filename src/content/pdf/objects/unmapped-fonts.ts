import type { TextContent, TextItem } from '../library/load-pdf.js'

/** Number of characters that are enough to judge a font. */
const SAMPLE_CHARACTERS = 200
/**
 * Number of pages that may be read ahead for the sample of a font, and for those of all fonts. A page that is read ahead is
 * read again in its turn.
 */
const [MAX_AHEAD, MAX_AHEAD_IN_ALL] = [8, 30]

/** Counts of the text in a font, from the page on which it occurs first. */
interface Sample {
  /** Without spaces. */
  characters: number
  controls: number
  /** Lower-case letters, and letters of scripts without case. */
  letters: number
  /** Last page that is counted, from 1. */
  page: number
}

/**
 * Finds garbled text in fonts of which the file does not say which characters their glyphs are. The library gives the numbers of
 * the glyphs as characters. In some files they are numbers of characters all the same.
 */
export class UnmappedFonts {
  readonly #samples = new Map<string, Sample>()
  #ahead = MAX_AHEAD_IN_ALL

  add(font: string): void {
    this.#samples.set(font, { characters: 0, controls: 0, letters: 0, page: 0 })
  }

  /**
   * Counts the text of a page for each of its fonts, until their samples are long enough. Reads later pages if they are not, so
   * that a font has one judgement on all pages.
   *
   * @param readLater returns the text of a page, or nothing after the last one
   */
  async sample(
    content: TextContent,
    page: number,
    readLater: (page: number) => Promise<TextContent | undefined>,
  ): Promise<void> {
    const samples = [...new Set(this.#itemsOf(content).map(({ sample }) => sample))]
    const nextPage = (): number => Math.min(...samples.filter(isShort).map((sample) => sample.page)) + 1
    this.#count(content, page, samples)
    for (let next = nextPage(); next <= page + MAX_AHEAD && this.#ahead > 0; next = nextPage()) {
      const later = await readLater(next)
      if (later === undefined) return
      this.#ahead -= 1
      this.#count(later, next, samples)
    }
  }

  /** Removes the text in fonts whose glyphs are not numbered like characters. */
  drop(content: TextContent): TextContent {
    const garbled = new Set<unknown>(
      this.#itemsOf(content).flatMap(({ item, sample }) => (isGarbled(sample) ? [item] : [])),
    )
    return garbled.size === 0 ? content : { ...content, items: content.items.filter((item) => !garbled.has(item)) }
  }

  /** Tests if text was kept that is not known to be garbled, and does not look like prose either, such as `&RQWHQWV`. */
  isDoubtful = (content: TextContent): boolean =>
    this.#itemsOf(content).some(({ sample }) => !isGarbled(sample) && sample.letters < MIN_LETTERS * sample.characters)

  #count(content: TextContent, page: number, samples: readonly Sample[]): void {
    const due = new Set(samples.filter((sample) => isShort(sample) && sample.page < page))
    for (const { item, sample } of this.#itemsOf(content)) {
      if (!due.has(sample)) continue
      const text = item.str.replaceAll(' ', '')
      sample.characters += text.length
      sample.controls += text.match(CONTROLS)?.length ?? 0
      sample.letters += text.match(LETTERS)?.length ?? 0
    }
    for (const sample of due) sample.page = page
  }

  /** Returns the text of a page in these fonts, without white space. */
  #itemsOf({ items }: TextContent): { readonly item: TextItem; readonly sample: Sample }[] {
    if (this.#samples.size === 0) return []
    return items.flatMap((item) => {
      if (!('str' in item) || item.str.trim() === '') return []
      const sample = this.#samples.get(item.fontName)
      return sample === undefined ? [] : { item, sample }
    })
  }
}

const isShort = ({ characters }: Sample): boolean => characters < SAMPLE_CHARACTERS

/** Matches control characters, and code points that are no characters. */
// oxlint-disable-next-line no-control-regex -- control characters are matched on purpose
const CONTROLS = /[\u0000-\u001f\p{Cn}]/gu

const LETTERS = /[\p{Ll}\p{Lo}]/gu
/**
 * Maximum share of control characters in text. Numbers of glyphs mostly follow ASCII from the space, which is 3, so that digits and
 * punctuation are control characters: 23 % of the prose of `docs/guides/`, and 7 % of it without its spaces. Those of Chinese and
 * Japanese fonts are scattered over all scripts, and some 5 % of them are no characters.
 */
const MAX_CONTROLS = 0.01
/**
 * Minimum share of lower-case letters and letters without case in text: 87 % of the prose of `docs/guides/`, and 0 % of its numbers
 * of glyphs.
 */
const MIN_LETTERS = 0.5

const isGarbled = ({ controls, characters }: Sample): boolean => controls > MAX_CONTROLS * characters
