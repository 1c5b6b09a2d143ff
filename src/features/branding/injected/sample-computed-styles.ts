import { builtInsOf, findBody, findRoot, pageDocument } from '../../browser/injected/built-ins-of.js'
import type { ComputedStyleSample, ControlSample, NoticeSample, SurfaceSample, TextSample } from './branding-samples.js'
import type { BrandingFunctions } from './page-functions.js'
import { isOpaque, readColour, toSolid } from './read-colour.js'
import { findBackground, findClosest, readCanvas, readFill, type StyledElement, toPixels } from './read-style.js'
import { isButton, isTextField, sampleControl, sampleFocusBorder } from './sample-controls.js'
import { findHeading, sampleText } from './sample-text.js'

/** Grid of points in the window at which the background colour is read. */
const GRID = { rows: 8, columns: 12 } as const
/** Minimum share of the window that an element must cover to be a surface. */
const MIN_SHARE = 0.02
/** Range of the distances that count as spacing. CSS pixels. */
const DISTANCES = { min: 2, max: 128 } as const
/** Maximum number of distances, as a multiple of the maximum length of the other lists. */
const DISTANCES_PER_ITEM = 10

interface Samples {
  readonly maxItems: number
  readonly texts: Map<string, { sample: TextSample; length: number }>
  readonly surfaces: SurfaceSample[]
  readonly buttons: ControlSample[]
  readonly inputs: ControlSample[]
  readonly notices: NoticeSample[]
  readonly distances: number[]
  readonly gaps: number[]
  readonly radii: string[]
  readonly paragraphMargins: string[]
  readonly headingMargins: string[]
  /** The first text field that can have the focus, and its index in `inputs`. */
  field?: { readonly element: HTMLElement; readonly index: number }
}

/** Samples a page by the computed styles of its elements. */
export const sampleComputedStyles: BrandingFunctions['sampleComputedStyles'] = ({ maxElements, maxItems }) => {
  const canvas = readCanvas()
  const backgrounds = sampleBackgrounds()
  const samples: Samples = {
    maxItems,
    texts: new Map(),
    surfaces: [],
    buttons: [],
    inputs: [],
    notices: [],
    distances: [],
    gaps: [],
    radii: [],
    paragraphMargins: [],
    headingMargins: [],
  }
  for (const element of listVisible(maxElements)) {
    const style = getComputedStyle(element)
    const box = builtInsOf(element).getBoundingClientRect()
    if (box.width >= 1 && box.height >= 1) addElement(samples, { element, style, box, fill: readFill(style) })
  }
  const { surfaces, buttons, inputs, notices, distances, gaps, radii, field } = samples
  const input = field && inputs[field.index]
  if (input) input.focusBorder = sampleFocusBorder(field.element)
  const theme = pageDocument.querySelector<HTMLMetaElement>('meta[name="theme-color"]:not([media*="dark"])')
  const body = findBody()
  return {
    backgrounds,
    canvas,
    surfaces,
    texts: [...samples.texts.values()].map(({ sample, length }) => ({ ...sample, length })),
    buttons,
    inputs,
    variables: sampleVariables(maxItems),
    themeColour: theme ? toSolid(readColour(theme.content.trim())) : '',
    notices,
    distances,
    gaps,
    radii,
    paragraphMargin: findCommonest(samples.paragraphMargins),
    headingMargin: findCommonest(samples.headingMargins),
    bodyFamily: body ? getComputedStyle(body).fontFamily : '',
  }
}

function sampleBackgrounds(): string[] {
  const backgrounds = []
  for (let row = 1; row <= GRID.rows; row++) {
    for (let column = 1; column <= GRID.columns; column++) {
      const x = (innerWidth * column) / (GRID.columns + 1)
      const element = pageDocument.elementFromPoint(x, (innerHeight * row) / (GRID.rows + 1))
      if (element) backgrounds.push(findBackground(element))
    }
  }
  return backgrounds
}

/** Lists visible elements in document order, including those in open shadow trees. */
function listVisible(maxElements: number): HTMLElement[] {
  const elements: HTMLElement[] = []
  const body = findBody()
  const stack: Element[] = body ? [body] : []
  while (elements.length < maxElements) {
    const element = stack.pop()
    if (!element) break
    const { localName, shadowRoot, children } = builtInsOf(element)
    if (/^(?:script|style|template|noscript|svg|iframe)$/i.test(localName)) continue
    if (!builtInsOf(element).checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    elements.push(element as HTMLElement)
    const inside = [...(shadowRoot?.children ?? []), ...children]
    // By index: the page may have replaced `reverse`.
    for (let at = inside.length - 1; at >= 0; at -= 1) {
      const child = inside[at]
      if (child) stack.push(child)
    }
  }
  return elements
}

function addElement(samples: Samples, styled: StyledElement): void {
  const { element, style } = styled
  const { maxItems, gaps, radii } = samples
  addNoticeOrSurface(samples, styled)
  addControl(samples, styled)
  addDistances(samples, style)
  const gap = toPixels(style.columnGap)
  if (/grid|flex/.test(style.display) && gap > 0 && builtInsOf(element).children.length > 1 && gaps.length < maxItems) {
    gaps.push(gap)
  }
  if (toPixels(style.borderTopLeftRadius) > 0 && radii.length < maxItems) radii.push(style.borderTopLeftRadius)
  addText(samples, styled)
}

function addNoticeOrSurface(samples: Samples, { element, style, box, fill }: StyledElement): void {
  const { maxItems, notices, surfaces } = samples
  const named = /(?:^|[-_ ])(success|warning|error|danger)(?:[-_ ]|$)/.exec(
    builtInsOf(element).getAttribute('class') ?? '',
  )
  if (named) {
    if (notices.length >= maxItems || box.width <= 20) return
    const kind = (named[1] === 'danger' ? 'error' : named[1]) as NoticeSample['kind']
    const border = toPixels(style.borderLeftWidth) > 0 ? readColour(style.borderLeftColor) : ''
    for (const colour of [fill, border, readColour(style.color)]) {
      if (colour) notices.push({ kind, colour: toSolid(colour) })
    }
    return
  }
  const top = box.top + scrollY
  const area = Math.min(box.width, innerWidth) * Math.min(box.height, innerHeight)
  const share = Math.min(1, area / (innerWidth * innerHeight))
  if (!fill || top >= innerHeight * 2 || share <= MIN_SHARE || surfaces.length >= maxItems) return
  const isHeader = findClosest(element, 'header, nav, [role=banner]') !== null && top < 200
  surfaces.push({ colour: fill, share: Math.round(share * 1000) / 1000, isHeader })
}

function addControl(samples: Samples, styled: StyledElement): void {
  const { element } = styled
  const { maxItems, buttons, inputs } = samples
  if (isButton(styled)) {
    const { value } = element as Partial<HTMLInputElement>
    const hasLabel = builtInsOf(element).textContent.trim() + (value || '') !== ''
    if (hasLabel && buttons.length < maxItems) buttons.push(sampleControl(styled))
  } else if (isTextField(element)) {
    if (!samples.field && !element.disabled && !element.readOnly) samples.field = { element, index: inputs.length }
    if (inputs.length < maxItems) inputs.push(sampleControl(styled))
  }
}

function addDistances({ maxItems, distances }: Samples, style: CSSStyleDeclaration): void {
  if (distances.length >= maxItems * DISTANCES_PER_ITEM) return
  const { paddingTop, paddingLeft, marginTop, marginBottom, rowGap, columnGap } = style
  for (const value of [paddingTop, paddingLeft, marginTop, marginBottom, rowGap, columnGap]) {
    const distance = toPixels(value)
    if (distance >= DISTANCES.min && distance <= DISTANCES.max) distances.push(distance)
  }
}

/** Adds the length of an element's text to the sample of its style. */
function addText(samples: Samples, styled: StyledElement): void {
  const { element, style } = styled
  const sample = sampleText(styled)
  if (!sample) return
  const key = JSON.stringify({ ...sample, length: 0 })
  const known = samples.texts.get(key)
  if (known) known.length += sample.length
  else if (samples.texts.size < samples.maxItems) samples.texts.set(key, { sample, length: sample.length })
  if (builtInsOf(element).localName === 'p') samples.paragraphMargins.push(style.marginBottom)
  if (element === findHeading(element)) samples.headingMargins.push(style.marginBottom)
}

function sampleVariables(maxItems: number): ComputedStyleSample['variables'] {
  const variables: { name: string; colour: string }[] = []
  for (const [name, values] of findRoot()?.computedStyleMap() ?? []) {
    const isNamed = /primary|brand|secondary|accent|success|warning|danger|error|destructive/.test(name)
    if (!name.startsWith('--') || !isNamed) continue
    const [value] = values
    const colour = readColour(toColour(String(value).trim()))
    if (isOpaque(colour) && variables.length < maxItems) variables.push({ name, colour: toSolid(colour) })
  }
  return variables
}

/** Completes a variable that holds only the arguments of `hsl()` or `rgb()`. */
function toColour(value: string): string {
  if (/^[\d.]+(?:deg)? [\d.]+% [\d.]+%$/.test(value)) return `hsl(${value})`
  return /^\d+, ?\d+, ?\d+$/.test(value) ? `rgb(${value})` : value
}

function findCommonest(list: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? ''
}
