import type { Branding, ComponentStyle } from './brand.js'
import { chroma, distance, luminance } from './colour.js'
import { compact } from '../../base/collections/compact.js'
import { describeColours } from './describe-colours.js'
import { describeTypography, listFonts } from './describe-typography.js'
import type { BrandSample, ComputedStyleSample, ControlSample } from './injected/branding-samples.js'
import { Tally, tallyOf } from './tally.js'

type Spacing = NonNullable<Branding['spacing']>

/** Candidates for the base unit of a layout, the largest first. CSS pixels. */
const UNITS = [8, 10, 6, 5, 4]
/** A background with a higher luminance belongs to a light colour scheme. */
const MAX_DARK_LUMINANCE = 0.3
/** Minimum share of distances that are multiples of the base unit. */
const UNIT_SHARE = 0.7
/** Minimum number of distances from which a base unit is derived. */
const MIN_DISTANCES = 8

/**
 * Describes the branding of a site from the samples of a page. The same samples always give the same result. Properties
 * that the samples do not show are absent.
 *
 * @see docs/compatibility/documents.md#branding
 */
export function describeBranding(styles: ComputedStyleSample, brand: BrandSample): Branding {
  const colors = describeColours(styles)
  const primary = findPrimary(styles.buttons)
  const secondary = styles.buttons.find((button) => primary && !hasSameStyle(button, primary) && isDrawn(button))
  const [input] = styles.inputs
  const isDark = luminance(colors.background ?? '#FFFFFF') < MAX_DARK_LUMINANCE
  const colorScheme: Branding['colorScheme'] = isDark ? 'dark' : 'light'
  return compact({
    colorScheme,
    brandName: brand.names[0],
    logo: brand.logo?.src,
    fonts: listFonts(styles),
    colors,
    typography: describeTypography(styles),
    spacing: describeSpacing(styles, primary),
    components: compact({
      buttonPrimary: primary && describeControl(primary),
      buttonSecondary: secondary && describeControl(secondary),
      input: input && describeControl(input),
    }),
    images: compact({
      logo: brand.logo?.src,
      logoHref: brand.logo?.href,
      logoAlt: brand.logo?.alt,
      favicon: brand.favicon,
      ogImage: brand.ogImage,
    }),
  })
}

const isDrawn = ({ background, border }: ControlSample): boolean => background !== '' || border !== ''

const hasSameStyle = (one: ControlSample, other: ControlSample): boolean =>
  one.background === other.background && one.text === other.text && one.border === other.border

/** Finds the button style that is most prominent: it contrasts with its background, and is colourful. */
function findPrimary(buttons: readonly ControlSample[]): ControlSample | undefined {
  const tally = new Tally<string>()
  const firsts = new Map<string, ControlSample>()
  for (const button of buttons) {
    if (button.background === '' || distance(button.background, button.behind) < 0.05) continue
    const key = [button.background, button.text, button.border].join()
    if (!firsts.has(key)) firsts.set(key, button)
    const strength = distance(button.background, button.behind) + 2 * chroma(button.background)
    tally.add(key, strength * Math.min(1, button.area / 3000))
  }
  const best = tally.mostFrequent()
  return (best === undefined ? undefined : firsts.get(best)) ?? buttons.find(isDrawn)
}

function describeControl(control: ControlSample): ComponentStyle {
  const [first = '0px'] = control.radii
  const [topLeft = first, topRight = first, bottomRight = first, bottomLeft = first] = control.radii
  const isEven = control.radii.every((radius) => radius === first)
  return compact({
    background: control.background || 'transparent',
    textColor: control.text || undefined,
    borderColor: control.border || undefined,
    borderRadius: first,
    borderRadiusCorners: isEven ? undefined : { topLeft, topRight, bottomRight, bottomLeft },
    shadow: control.shadow || undefined,
    focusBorderColor: control.focusBorder || undefined,
  })
}

function describeSpacing(styles: ComputedStyleSample, button: ControlSample | undefined): Spacing {
  const { distances } = styles
  const baseUnit =
    distances.length < MIN_DISTANCES
      ? undefined
      : UNITS.find((unit) => distances.filter((value) => value % unit === 0).length >= distances.length * UNIT_SHARE)
  const gap = tallyOf(styles.gaps).mostFrequent()
  const isMargin = (margin: string): boolean => margin !== '' && margin !== '0px'
  const padding = compact({
    button: button?.padding,
    input: styles.inputs[0]?.padding,
  })
  const margins = compact({
    paragraph: isMargin(styles.paragraphMargin) ? styles.paragraphMargin : undefined,
    heading: isMargin(styles.headingMargin) ? styles.headingMargin : undefined,
  })
  return compact({
    baseUnit,
    padding: Object.keys(padding).length > 0 ? padding : undefined,
    margins: Object.keys(margins).length > 0 ? margins : undefined,
    gridGutter: gap === undefined ? undefined : `${gap}px`,
    borderRadius: tallyOf(styles.radii).mostFrequent(),
  })
}
