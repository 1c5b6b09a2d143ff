import { compact } from '../../base/collections/compact.js'
import type { Branding } from './brand.js'
import { chroma, type Colour, distance } from './colour.js'
import type { ComputedStyleSample, TextSample } from './injected/branding-samples.js'
import { Tally, tallyOf } from './tally.js'

type Colours = NonNullable<Branding['colors']>

/** Minimum distance from grey of a chromatic colour, 0 to 1. */
const MIN_CHROMA = 0.16
/** Maximum distance of two colours that count as the same, 0 to 1. */
const MAX_SAME_DISTANCE = 0.05
/** Minimum distance of two colours that count as clearly different, 0 to 1. */
const MIN_OTHER_DISTANCE = 0.15
/** Minimum share of the text, and maximum distance from grey, of a secondary text colour. Both 0 to 1. */
const MIN_SECONDARY_SHARE = 0.02
const MAX_SECONDARY_CHROMA = 0.25
/** Minimum share of the window in which the document's own background must be visible to count as the page's. */
const MIN_CANVAS_SHARE = 0.25

/** Assigns roles to the colours of a page. */
export function describeColours(styles: ComputedStyleSample): Colours {
  const background = findBackground(styles)
  const body = styles.texts.filter(({ role }) => role === 'text')
  const inContent = body.filter(({ isBoilerplate }) => !isBoilerplate)
  const textPrimary =
    weigh(inContent.length > 0 ? inContent : body).mostFrequent() ?? weigh(styles.texts).mostFrequent()
  const quiet = weigh(body)
  const textSecondary = quiet.ranked().find(
    ({ item, weight }) =>
      textPrimary !== undefined &&
      weight >= quiet.total * MIN_SECONDARY_SHARE &&
      distance(item, textPrimary) > MAX_SAME_DISTANCE &&
      chroma(item) <= MAX_SECONDARY_CHROMA &&
      // Secondary text has less contrast with the background.
      distance(item, background) > MIN_OTHER_DISTANCE &&
      distance(item, background) < distance(textPrimary, background),
  )?.item
  const links = styles.texts.filter(({ role }) => role === 'link')
  const link = weigh(links.filter(({ isBoilerplate }) => !isBoilerplate)).mostFrequent() ?? weigh(links).mostFrequent()
  const [primary, secondary, accent] = chooseBrandColours(styles, background, link)
  return compact({
    primary,
    secondary,
    accent,
    background,
    textPrimary,
    textSecondary,
    link,
    success: findNotice(styles, 'success', /success/),
    warning: findNotice(styles, 'warning', /warning/),
    error: findNotice(styles, 'error', /error|danger|destructive/),
  })
}

/**
 * Returns the background colour of the document; if elements cover most of it, the most frequent background colour of
 * the window.
 */
function findBackground({ backgrounds, canvas }: ComputedStyleSample): Colour {
  const seen = backgrounds.filter((colour) => colour === canvas).length
  return seen >= backgrounds.length * MIN_CANVAS_SHARE ? canvas : (tallyOf(backgrounds).mostFrequent() ?? canvas)
}

const weigh = (texts: readonly TextSample[]): Tally<Colour> => {
  const tally = new Tally<Colour>()
  for (const { colour, length } of texts) if (colour !== '') tally.add(colour, length)
  return tally
}

/**
 * Chooses the primary, secondary and accent colours: a CSS variable with that name if the page uses its colour,
 * otherwise the most prominent chromatic colour. Colours of buttons count most, then those of the header and large
 * surfaces, of links and of headings.
 */
function chooseBrandColours(
  styles: ComputedStyleSample,
  background: Colour,
  link: Colour | undefined,
): (Colour | undefined)[] {
  const used = new Tally<Colour>()
  for (const { background: fill, border, area } of styles.buttons.slice(0, 40)) {
    if (fill !== '') used.add(fill, 3 + Math.min(4, area / 2000))
    else if (border.length === 7) used.add(border, 2)
  }
  for (const { colour, share, isHeader } of styles.surfaces)
    used.add(colour, (isHeader ? 6 : 0) + Math.min(8, share * 20))
  if (styles.themeColour !== '') used.add(styles.themeColour, 6)
  if (link !== undefined) used.add(link, 5)
  for (const { role, colour, level } of styles.texts) if (role === 'heading') used.add(colour, level <= 2 ? 1 : 0.3)

  const candidates = used.ranked().filter(({ item }) => distance(item, background) > MAX_SAME_DISTANCE)
  const colourful = candidates.filter(({ item }) => chroma(item) > MIN_CHROMA).map(({ item }) => item)
  const plain = styles.buttons
    .map(({ background: fill }) => fill)
    .find((fill) => fill !== '' && distance(fill, background) > MIN_OTHER_DISTANCE)
  const named = (pattern: RegExp): Colour | undefined =>
    findNamed(styles, pattern).find((colour) =>
      candidates.some(({ item }) => distance(item, colour) < MAX_SAME_DISTANCE),
    )

  const chosen: (Colour | undefined)[] = []
  const choose = (...choices: (Colour | undefined)[]): void => {
    const isNew = (colour: Colour): boolean =>
      chosen.every((other) => other === undefined || distance(colour, other) > MIN_OTHER_DISTANCE)
    chosen.push(choices.find((colour): colour is Colour => colour !== undefined && isNew(colour)))
  }
  choose(named(/primary|brand/), ...colourful, plain)
  choose(named(/secondary/), ...colourful)
  choose(named(/accent/), ...colourful)
  return chosen
}

/** Lists colours by the names of their CSS variables, the shortest name first. */
const findNamed = ({ variables }: ComputedStyleSample, pattern: RegExp): Colour[] =>
  variables
    .filter(
      ({ name }) => pattern.test(name) && !/foreground|text|hover|active|border|subtle|contrast|-on-|on-/.test(name),
    )
    .toSorted((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .map(({ colour }) => colour)

/**
 * Finds the colour of success, warning or error: that of a CSS variable with that name, otherwise that of a message on
 * the page.
 */
function findNotice(
  styles: ComputedStyleSample,
  kind: 'success' | 'warning' | 'error',
  pattern: RegExp,
): Colour | undefined {
  const named = findNamed(styles, pattern).find((colour) => chroma(colour) > MIN_CHROMA)
  const seen = styles.notices.filter((notice) => notice.kind === kind && chroma(notice.colour) > MIN_CHROMA)
  return named ?? seen.map(({ colour }) => colour).toSorted((a, b) => chroma(b) - chroma(a))[0]
}
