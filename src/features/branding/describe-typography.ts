import type { Branding } from './brand.js'
import type { ComputedStyleSample, TextSample } from './injected/branding-samples.js'
import { Tally } from './tally.js'

type Typography = NonNullable<Branding['typography']>

/**
 * Generic font families, for which the system chooses a font.
 *
 * @see https://www.w3.org/TR/css-fonts-4/#generic-font-families
 */
const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|math|emoji|fangsong|-apple-system|BlinkMacSystemFont)$/i
/** Minimum share of the text in a size smaller than that of body text, for it to be reported as the small size. */
const MIN_SMALL_SHARE = 0.02

/** Describes font families, sizes and weights of a page. */
export function describeTypography(styles: ComputedStyleSample): Typography {
  const body = styles.texts.filter(({ role, isBoilerplate }) => role === 'text' && !isBoilerplate)
  const running = body.length > 0 ? body : styles.texts.filter(({ role }) => role === 'text')
  const headings = styles.texts.filter(({ role }) => role === 'heading')
  const ofLevel = (level: number): TextSample[] => headings.filter((text) => text.level === level)
  const family = findMostUsed(running, 'family') ?? styles.bodyFamily
  const headingFamily = findMostUsed(headings, 'family')
  const codeFamily = findMostUsed(
    styles.texts.filter(({ role }) => role === 'code'),
    'family',
  )
  const paragraphFamily = findMostUsed(
    running.filter(({ isParagraph }) => isParagraph),
    'family',
  )
  const bodySize = findMostUsed(running, 'size')
  const headingWeight = findMostUsed(headings, 'weight')
  const bodyWeight = findMostUsed(running, 'weight')
  const lineHeights = { body: findMostUsed(running, 'lineHeight'), heading: findMostUsed(headings, 'lineHeight') }
  const sizes = {
    h1: findMostUsed(ofLevel(1), 'size'),
    h2: findMostUsed(ofLevel(2), 'size'),
    h3: findMostUsed(ofLevel(3), 'size'),
    body: bodySize,
    small: findSmall(styles.texts, bodySize),
  }
  return {
    fontFamilies: keep({ primary: firstOf(family), heading: firstOf(headingFamily), code: firstOf(codeFamily) }),
    fontStacks: keep({
      primary: stackOf(family),
      heading: stackOf(headingFamily),
      body: stackOf(styles.bodyFamily),
      paragraph: stackOf(paragraphFamily),
    }),
    fontSizes: keep(
      Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, size === undefined ? size : `${size}px`])),
    ),
    lineHeights: keep(lineHeights, (value) => value > 0),
    fontWeights: keep({ body: bodyWeight, heading: headingWeight }),
  }
}

/** Lists up to ten fonts, the most used first; generic families only if there is no other. */
export function listFonts({ texts }: ComputedStyleSample): { family: string }[] {
  const tally = new Tally<string>()
  for (const { family, length } of texts) {
    const first = firstOf(family)
    if (first !== undefined) tally.add(first, length)
  }
  const families = tally.ranked().map(({ item }) => item)
  const named = families.filter((family) => !GENERIC.test(family))
  return (named.length > 0 ? named : families).slice(0, 10).map((family) => ({ family }))
}

function findSmall(texts: readonly TextSample[], bodySize: number | undefined): number | undefined {
  if (bodySize === undefined) return undefined
  const tally = new Tally<number>()
  let total = 0
  for (const { size, length, role } of texts) {
    total += length
    if (size < bodySize && role !== 'code') tally.add(size, length)
  }
  const [first] = tally.ranked()
  return first && first.weight >= total * MIN_SMALL_SHARE ? first.item : undefined
}

/** Returns the value of a property that applies to the most characters. */
function findMostUsed<Name extends 'family' | 'size' | 'weight' | 'lineHeight'>(
  texts: readonly TextSample[],
  name: Name,
): TextSample[Name] | undefined {
  const tally = new Tally<TextSample[Name]>()
  for (const text of texts) tally.add(text[name], text.length)
  return tally.mostFrequent()
}

/** Splits a `font-family` list into the names of its fonts. */
function stackOf(list: string | undefined): string[] | undefined {
  if (list === undefined || list === '') return undefined
  const names = list.match(/"[^"]*"|'[^']*'|[^,]+/g) ?? []
  return names.map((name) => plainName(name.trim().replace(/^(["'])(.*)\1$/, '$2'))).filter((name) => name !== '')
}

const firstOf = (list: string | undefined): string | undefined => stackOf(list)?.[0]

/** Restores the name of a font that a build tool has changed: `Inter` from `__Inter_1a2b3c`. */
const plainName = (name: string): string => /^__(.+?)_[0-9a-f]{5,8}$/.exec(name)?.[1]?.replaceAll('_', ' ') ?? name

const keep = <T>(
  values: Readonly<Record<string, T | undefined>>,
  isWorth: (value: T) => boolean = () => true,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, T] => entry[1] !== undefined && isWorth(entry[1])),
  )
