import { evaluate, type ConditionOutcome } from './css-condition.js'
import { READ_PROPERTIES, readValue } from './read-declarations.js'
import { readSelector } from './selector.js'
import { functionsIn, splitAtSpaces } from './split-value.js'

/**
 * Properties that pages ask for, beside those that are read for themselves, and the words that they may have. Without words, any value
 * is taken for one.
 */
const PROPERTIES: ReadonlyMap<string, RegExp | undefined> = new Map<string, RegExp | undefined>([
  ['float', /^(?:none|left|right|inline-(?:start|end))$/],
  ['clear', /^(?:none|left|right|both|inline-(?:start|end))$/],
  ['direction', /^(?:ltr|rtl)$/],
  ['object-fit', /^(?:fill|contain|cover|none|scale-down)$/],
  [
    'mix-blend-mode',
    /^(?:normal|multiply|screen|overlay|darken|lighten|color|color-dodge|color-burn|hard-light|soft-light|difference|exclusion|hue|saturation|luminosity|plus-lighter)$/,
  ],
  ['text-align', /^(?:left|right|center|justify|start|end|match-parent|-webkit-(?:left|right|center))$/],
  ['white-space', /^(?:normal|pre|pre-wrap|pre-line|nowrap|break-spaces|collapse|preserve|wrap)$/],
  ['text-wrap', /^(?:wrap|nowrap|balance|pretty|stable)$/],
  ['hyphens', /^(?:none|manual|auto)$/],
  ['overscroll-behavior', /^(?:auto|contain|none)$/],
  ['scroll-behavior', /^(?:auto|smooth)$/],
  ['pointer-events', /^(?:auto|none|all|fill|stroke|painted|visible\w*|bounding-box)$/],
  ['user-select', /^(?:auto|none|text|all|contain)$/],
  ['-webkit-user-select', /^(?:auto|none|text|all)$/],
  ['writing-mode', /^(?:horizontal-tb|vertical-[lr][rl]|sideways-[lr][rl]|lr|lr-tb|rl|rl-tb|tb|tb-rl)$/],
  ['box-sizing', /^(?:border-box|content-box)$/],
  ['isolation', /^(?:auto|isolate)$/],
  ['resize', /^(?:none|both|horizontal|vertical|block|inline)$/],
  ['container-type', /^(?:normal|size|inline-size|scroll-state)$/],
  ['field-sizing', /^(?:content|fixed)$/],
  ['interpolate-size', /^(?:numeric-only|allow-keywords)$/],
  ['-webkit-appearance', undefined],
  ...(
    'accent-color align-content align-items align-self anchor-name animation-composition animation-range animation-timeline appearance ' +
    'aspect-ratio backdrop-filter backface-visibility background-attachment background-blend-mode background-position background-repeat ' +
    'background-size border border-color border-image border-radius bottom box-decoration-break box-shadow break-inside caret-color ' +
    'color-scheme column-count column-gap column-width columns container container-name content counter-increment counter-reset ' +
    'counter-set cursor flex-basis flex-direction flex-flow flex-wrap font-display font-family font-feature-settings ' +
    'font-optical-sizing font-palette font-size-adjust font-stretch font-style font-variant font-variant-caps font-variant-numeric ' +
    'font-variation-settings font-weight forced-color-adjust gap grid grid-area grid-auto-flow grid-column grid-gap grid-row ' +
    'grid-template grid-template-areas grid-template-columns hanging-punctuation hyphenate-character image-orientation image-rendering ' +
    'initial-letter inset-area justify-content justify-items justify-self letter-spacing line-break list-style list-style-type ' +
    'margin-bottom margin-right margin-trim mask-composite mask-position mask-repeat object-position offset-path order orphans outline ' +
    'outline-offset overflow-anchor overflow-wrap paint-order perspective perspective-origin place-content place-items place-self ' +
    'position-anchor position-area print-color-adjust ruby-position row-gap scroll-margin scroll-margin-top scroll-padding scroll-snap-align ' +
    'scroll-snap-stop scroll-snap-type scroll-timeline scrollbar-color scrollbar-gutter scrollbar-width shape-outside tab-size ' +
    'text-box-trim text-combine-upright text-decoration text-decoration-color text-decoration-line text-decoration-skip-ink ' +
    'text-decoration-style text-decoration-thickness text-emphasis text-orientation text-overflow text-rendering text-size-adjust ' +
    'text-transform text-underline-offset touch-action transform-box transform-origin transform-style vertical-align view-timeline ' +
    'view-transition-name widows word-break word-spacing word-wrap -webkit-backdrop-filter -webkit-box-decoration-break -webkit-box-orient ' +
    '-webkit-box-reflect -webkit-font-smoothing -webkit-line-clamp -webkit-mask-composite -webkit-perspective -webkit-tap-highlight-color ' +
    '-webkit-text-size-adjust'
  )
    .split(' ')
    .map((name): [string, undefined] => [name, undefined]),
])

/** Properties of other browsers than those that most readers have. */
const FOREIGN =
  /^(?:-moz-|-ms-|-o-|-khtml-|-apple-)|^-webkit-(?:touch-callout|overflow-scrolling)$|^(?:hanging-punctuation|margin-trim|font-display|inset-area)$/

/** Maximum length of a selector that a rule asks for. Characters. */
const MAX_SELECTOR = 2000

/** Tells whether browsers support what a rule asks for. What is not known holds for nobody, and nor does its contrary. */
export const isSupported = (condition: string): boolean => evaluate(condition, test) === 'all'

function test(inner: string, name: string): ConditionOutcome {
  switch (name) {
    case '':
      return testDeclaration(inner)
    case 'selector':
      if (inner.length > MAX_SELECTOR) return 'unknown'
      return typeof readSelector(inner, { isStrict: true }) === 'undefined' || inner.includes(',,') ? 'none' : 'all'
    case 'font-tech':
      return /^(?:color-colrv[01]|color-sbix|color-cbdt|variations|palettes|features-opentype|incremental)$/i.test(
        inner,
      )
        ? 'all'
        : 'none'
    case 'font-format':
      return /^(?:woff2?|truetype|opentype|collection)$/i.test(inner) ? 'all' : 'none'
    default:
      return 'none'
  }
}

function testDeclaration(text: string): ConditionOutcome {
  const colon = text.indexOf(':')
  if (colon === -1) return 'none'
  const name = text.slice(0, colon).trim().toLowerCase()
  if (name.startsWith('--')) return 'all'
  const value = text
    .slice(colon + 1)
    .replace(/!\s*important\s*$/i, '')
    .trim()
    .toLowerCase()
  if (value === '' || FOREIGN.test(name)) return 'none'
  if (READ_PROPERTIES.has(name)) return readValue(name, value, false).length > 0 ? 'all' : 'none'
  if (!PROPERTIES.has(name)) return 'unknown'
  const words = PROPERTIES.get(name)
  const isTaken = (one: string): boolean => words === undefined || words.test(one) || functionsIn(one).length > 0
  return splitAtSpaces(value).every(isTaken) ? 'all' : 'none'
}
