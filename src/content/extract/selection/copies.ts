import { wordsOf } from '../blocks/name-words.js'
import type { ContentKind } from '../blocks/page-kind.js'
import type { Block, Region } from '../blocks/block.js'
import type { Element } from '../../html/tree.js'

/** Minimum words of a text that tells a copy. Shorter ones, such as a price, are the same by chance. */
const MIN_WORDS = 3
/** Minimum words of an element for some screens, and the share of them that the page must have elsewhere. */
const MIN_PART_WORDS = 8
const MIN_REPEATED_SHARE = 0.8

/**
 * Finds the kept blocks that only repeat another kept block: texts written once for wide and once for narrow
 * screens, of which a reader sees one, copies of slides, the text of a slide that another one has, and in discussions what
 * a quotation repeats of the same page. Any other text that occurs twice is kept, such as a sentence in the descriptions of two functions, or a line of each
 * of several cards. Tables stay whole.
 */
export function findCopies(blocks: readonly Block[], kept: ReadonlySet<Block>, kind: ContentKind): Block[] {
  const texts = new Map<string, { readonly first: Block; count: number }>()
  for (const block of blocks) {
    if (!kept.has(block)) continue
    const known = texts.get(block.text)
    if (known === undefined) texts.set(block.text, { first: block, count: 1 })
    else known.count += 1
  }
  const isRepeated = (block: Block): boolean => block.words >= MIN_WORDS && (texts.get(block.text)?.count ?? 0) > 1
  if (!blocks.some((block) => kept.has(block) && isRepeated(block))) return []
  const copied = findCopiedParts(blocks, kept, isRepeated)
  return blocks.flatMap((block) => {
    const first = kept.has(block) ? texts.get(block.text)?.first : undefined
    if (first === undefined || first === block || isInTable(block.region)) return []
    if (kind === 'discussion' && isRepeated(block) && isQuoted(block.region)) return [block]
    if (isRepeated(block) && isOnEqualSlide(first, block)) return [block]
    const copy = copied.size === 0 ? undefined : findCopy(first, block, copied)
    return copy === undefined || isInTable(copy.region) ? [] : [copy]
  })
}

/** Minimum length of the text of a slide that repeats another one. Characters. */
const MIN_SLIDE_LENGTH = 40
const SLIDE = /^(?:slide|slick|swiper|carousel|splide|glide|flickity|owl)/

/** True for equal texts that are all of two slides, beside each other: a text is written to the picture of each. */
function isOnEqualSlide(one: Block, other: Block): boolean {
  let first: Region | undefined = one.region
  let second: Region | undefined = other.region
  if (first.depth !== second.depth) return false
  while (first?.parent !== second?.parent) {
    first = first?.parent
    second = second?.parent
  }
  if (first === undefined || second === undefined || first === second) return false
  const isEqual = first.text === second.text && first.blocks === second.blocks && first.blocks <= 3
  return isEqual && first.text >= MIN_SLIDE_LENGTH && [first, second].every(isSlide)
}

const isSlide = ({ element }: Region): boolean => wordsOf(element).some((word) => SLIDE.test(word))

interface Words {
  words: number
  repeated: number
}

/** Finds the elements for some screens of which the page has hardly any text only once. */
function findCopiedParts(
  blocks: readonly Block[],
  kept: ReadonlySet<Block>,
  isRepeated: (block: Block) => boolean,
): ReadonlySet<Region> {
  const counts = new RegionCounts()
  for (const block of blocks) {
    if (kept.has(block)) counts.add(block.region, { words: block.words, repeated: isRepeated(block) ? block.words : 0 })
  }
  const copied = new Set<Region>()
  counts.addToParents((region, { words, repeated }) => {
    const isCopied = words >= MIN_PART_WORDS && repeated >= MIN_REPEATED_SHARE * words
    if (isCopied && isForSomeScreens(region.element)) copied.add(region)
  })
  return copied
}

/** Words of regions, those of the regions inside them included. */
class RegionCounts {
  /** Counts by region, by the depth of the region. */
  readonly #levels: Map<Region, Words>[] = []

  add(region: Region, { words, repeated }: Words): void {
    const level = (this.#levels[region.depth] ??= new Map())
    const counted = level.get(region)
    if (counted === undefined) {
      level.set(region, { words, repeated })
      return
    }
    counted.words += words
    counted.repeated += repeated
  }

  /** Adds the words of each region to those around it. To be called once. @param visit gets each region with all of its words */
  addToParents(visit: (region: Region, words: Words) => void): void {
    for (let depth = this.#levels.length - 1; depth >= 0; depth -= 1) {
      for (const [region, words] of this.#levels[depth] ?? []) {
        visit(region, words)
        if (region.parent !== undefined) this.add(region.parent, words)
      }
    }
  }
}

/** Returns that of two blocks which a part is around that is not around the other: the second, if there is one for each. */
function findCopy(one: Block, other: Block, parts: ReadonlySet<Region>): Block | undefined {
  let first: Region | undefined = one.region
  let second: Region | undefined = other.region
  let found: Block | undefined
  while (first !== second) {
    const isFirstInner: boolean = (first?.depth ?? -1) >= (second?.depth ?? -1)
    const inner: Region | undefined = isFirstInner ? first : second
    if (inner === undefined) return found
    if (parts.has(inner) && !isFirstInner) return other
    if (parts.has(inner)) found = one
    if (isFirstInner) first = inner.parent
    else second = inner.parent
  }
  return found
}

function isInTable(region: Region): boolean {
  for (let at: Region | undefined = region; at !== undefined; at = at.parent)
    if (at.element.name === 'td' || at.element.name === 'th') return true
  return false
}

/** Words of names of elements that are shown on some screens only, and of copies of slides. */
const SCREENS: ReadonlySet<string> = new Set('desktop mobile tablet smartphone handheld clone cloned'.split(' '))
/** Parts of class names that show or hide an element from some size of the screen on, as `md:hidden`, `hide-for-small`. */
const SIZES: ReadonlySet<string> = new Set('xs sm md lg xl xxl 2xl small medium large'.split(' '))
const HIDING: ReadonlySet<string> = new Set('hidden hide none'.split(' '))
const SHOWING: ReadonlySet<string> = new Set('visible show'.split(' '))
/** Parts that show an element that is otherwise hidden, as in `d-none d-lg-block`, and that lay out others. */
const DISPLAYS: ReadonlySet<string> = new Set('block inline flex grid table contents'.split(' '))
/** Parts between these. A name with any other part, such as `lg:overflow-hidden`, says something else. */
const JOINING: ReadonlySet<string> = new Set('d display for on only up down max min tw'.split(' '))

/** Maximum length of the class names that are read. Characters. */
const MAX_NAMES = 500

function isForSomeScreens(element: Element): boolean {
  if (wordsOf(element).some((word) => SCREENS.has(word))) return true
  const names = element.attribs['class']?.slice(0, MAX_NAMES).toLowerCase().split(/\s+/) ?? []
  let isHidden = false
  let isDisplayed = false
  for (const name of names) {
    const parts = name.split(/[^a-z0-9]+/).filter((part) => part !== '' && !JOINING.has(part))
    const hides = parts.some((part) => HIDING.has(part))
    const displays = parts.some((part) => DISPLAYS.has(part))
    const sizes = parts.filter((part) => SIZES.has(part)).length
    const known = parts.filter((part) => HIDING.has(part) || SHOWING.has(part) || DISPLAYS.has(part)).length
    if (known === 0 || known + sizes < parts.length) continue
    if (sizes > 0 && !displays) return true
    if (sizes > 0) isDisplayed = true
    else if (hides) isHidden = true
  }
  return isHidden && isDisplayed
}

/** True inside a quotation. */
function isQuoted(region: Region): boolean {
  for (let at: Region | undefined = region; at !== undefined; at = at.parent)
    if (at.element.name === 'blockquote' || isNamedQuotation(at.element)) return true
  return false
}

/** True for a name such as `bbcode_quote`; `js-selectToQuote` is that of a post that can be quoted. */
function isNamedQuotation(element: Element): boolean {
  const words = wordsOf(element)
  return !words.includes('selecttoquote') && words.some((word) => word.startsWith('quote') || word.endsWith('quote'))
}
