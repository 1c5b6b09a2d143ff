import { readColour } from './page-colour.js'
import { pageFunction } from '../browser-page/page-function.js'

/** Text of one look, wherever on the page it stands. Sizes are CSS pixels. */
export interface TextSample {
  readonly role: 'text' | 'link' | 'heading' | 'code'
  /** 1 to 6 for a heading, else 0. */
  readonly level: number
  /** Whether it belongs to a page's frame: header, navigation, footer. */
  readonly isFrame: boolean
  readonly isParagraph: boolean
  readonly colour: string
  readonly size: number
  readonly weight: number
  /** The whole list, as CSS has it. */
  readonly family: string
  /** Against the size; 0 where the font decides. */
  readonly lineHeight: number
  /** Characters. */
  readonly length: number
}

/** A button or an input. Colours are empty where there is none. */
export interface ControlSample {
  readonly background: string
  /** What it stands on. */
  readonly behind: string
  readonly text: string
  readonly border: string
  /** Of the four corners, from the upper left clockwise. */
  readonly radii: readonly string[]
  readonly shadow: string
  readonly padding: string
  /** CSS pixels, squared. */
  readonly area: number
  /** From the top of the page. CSS pixels. */
  readonly top: number
  readonly weight: number
  readonly focusBorder: string
}

/** What a page looks like, counted and not judged yet. Colours are `#RRGGBB` or `#RRGGBBAA`. */
export interface ComputedStyleSample {
  /** What stands behind everything, at points spread over the window. */
  readonly backgrounds: readonly string[]
  /** What the page itself is painted with. */
  readonly canvas: string
  /** Parts of the page with a colour of their own, and their share of the window. */
  readonly surfaces: readonly { readonly colour: string; readonly share: number; readonly isHeader: boolean }[]
  readonly texts: readonly TextSample[]
  readonly buttons: readonly ControlSample[]
  readonly inputs: readonly ControlSample[]
  /** Colours that the page has names for: CSS custom properties of its root. */
  readonly variables: readonly { readonly name: string; readonly colour: string }[]
  readonly themeColour: string
  /** Messages to the visitor, by what their names call them. */
  readonly notices: readonly { readonly kind: 'success' | 'warning' | 'error'; readonly colour: string }[]
  /** Paddings, margins and gaps, as often as they occur. CSS pixels. */
  readonly distances: readonly number[]
  readonly gaps: readonly number[]
  readonly radii: readonly string[]
  readonly paragraphMargin: string
  readonly headingMargin: string
  readonly bodyFamily: string
}

/** What {@link sampleComputedStyles} is asked. */
export interface LookQuestion {
  /** Elements that are looked at, in the order of the document. */
  readonly maxElements: number
  /** Lists are no longer than this. */
  readonly maxItems: number
}

/** Looks at a page through the styles that its elements have in the end. */
export const sampleComputedStyles: (question: LookQuestion) => ComputedStyleSample =
  pageFunction(String.raw`({ maxElements, maxItems }) => {
  const colourOf = ${readColour}
  const px = (value) => Math.round(parseFloat(value) * 100) / 100 || 0
  const isSeen = (colour) => colour.length === 7 || (colour.length === 9 && parseInt(colour.slice(7), 16) > 127)
  const solid = (colour) => colour.slice(0, 7)
  const fillOf = (style) => {
    const plain = colourOf(style.backgroundColor)
    if (isSeen(plain)) return solid(plain)
    const gradient = /gradient\([^#a-z]*(?:[^,(]*,\s*)?((?:rgba?|hsla?|oklch|oklab|lab|lch|color)\([^)]*\))/.exec(style.backgroundImage)
    return gradient ? solid(colourOf(gradient[1])) : ''
  }
  const parentOf = (element) => element.parentElement || (element.getRootNode().host ?? null)
  // The body's colour is the whole window's, where the root has none of its own.
  const canvas = fillOf(getComputedStyle(document.documentElement)) || (document.body && fillOf(getComputedStyle(document.body))) || '#FFFFFF'
  const behind = (element) => {
    for (let at = element; at; at = parentOf(at)) {
      const fill = fillOf(getComputedStyle(at))
      if (fill) return fill
    }
    return canvas
  }
  const closest = (element, selector) => {
    for (let at = element; at; at = at.getRootNode().host) {
      const found = at.closest(selector)
      if (found) return found
    }
    return null
  }

  const backgrounds = []
  for (let row = 1; row <= 8; row++) {
    for (let column = 1; column <= 12; column++) {
      const element = document.elementFromPoint((innerWidth * column) / 13, (innerHeight * row) / 9)
      if (element) backgrounds.push(behind(element))
    }
  }

  const elements = []
  const stack = document.body ? [document.body] : []
  while (stack.length > 0 && elements.length < maxElements) {
    const element = stack.pop()
    if (/^(?:script|style|template|noscript|svg|iframe)$/i.test(element.localName)) continue
    if (element.checkVisibility && !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    elements.push(element)
    const children = element.shadowRoot ? [...element.shadowRoot.children, ...element.children] : [...element.children]
    for (let at = children.length - 1; at >= 0; at--) stack.push(children[at])
  }

  const texts = new Map()
  const surfaces = []
  const buttons = []
  const inputs = []
  const notices = []
  const distances = []
  const gaps = []
  const radii = []
  const margins = { paragraph: [], heading: [] }
  const textField = 'input:not([type]), input[type=text], input[type=email], input[type=search], input[type=password], input[type=tel], input[type=url], textarea'
  const isButton = (element, style, box) => {
    if (element.matches('button, [role=button], input[type=submit], input[type=button]')) return true
    if (!element.matches('a[href]') || box.height < 20 || box.height > 90 || style.display === 'inline') return false
    const label = element.textContent.trim()
    if (label === '' || label.length > 40) return false
    const isPadded = px(style.paddingLeft) >= 8 && px(style.paddingRight) >= 8
    const hasLine = px(style.borderTopWidth) > 0 && px(style.borderLeftWidth) > 0 && isSeen(colourOf(style.borderTopColor))
    const fill = fillOf(style)
    return isPadded && (hasLine || (fill !== '' && element.parentElement && fill !== behind(element.parentElement)))
  }
  const readControl = (element, style, box) => ({
    background: fillOf(style),
    behind: element.parentElement ? behind(element.parentElement) : canvas,
    text: colourOf(style.color),
    border: px(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none' ? colourOf(style.borderTopColor) : '',
    radii: [style.borderTopLeftRadius, style.borderTopRightRadius, style.borderBottomRightRadius, style.borderBottomLeftRadius],
    shadow: style.boxShadow === 'none' ? '' : style.boxShadow,
    padding: style.padding,
    area: Math.round(box.width * box.height),
    top: Math.round(box.top + scrollY),
    weight: px(style.fontWeight),
    focusBorder: '',
  })
  let fieldToFocus
  for (const element of elements) {
    const style = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    if (box.width < 1 || box.height < 1) continue
    const fill = fillOf(style)
    const share = Math.min(1, (Math.min(box.width, innerWidth) * Math.min(box.height, innerHeight)) / (innerWidth * innerHeight))
    const named = /(?:^|[-_ ])(success|warning|error|danger)(?:[-_ ]|$)/.exec(element.getAttribute('class') || '')
    if (named && notices.length < maxItems && box.width > 20) {
      const kind = named[1] === 'danger' ? 'error' : named[1]
      for (const colour of [fill, px(style.borderLeftWidth) > 0 ? colourOf(style.borderLeftColor) : '', colourOf(style.color)]) if (colour) notices.push({ kind, colour: solid(colour) })
    }
    if (fill && !named && box.top + scrollY < innerHeight * 2 && share > 0.02 && surfaces.length < maxItems) {
      surfaces.push({ colour: fill, share: Math.round(share * 1000) / 1000, isHeader: closest(element, 'header, nav, [role=banner]') !== null && box.top + scrollY < 200 })
    }
    if (isButton(element, style, box)) {
      if (element.textContent.trim() + (element.value || '') !== '' && buttons.length < maxItems) buttons.push(readControl(element, style, box))
    } else if (element.matches(textField)) {
      if (!fieldToFocus && !element.disabled && !element.readOnly) fieldToFocus = { element, at: inputs.length }
      if (inputs.length < maxItems) inputs.push(readControl(element, style, box))
    }
    if (distances.length < maxItems * 10) {
      for (const value of [style.paddingTop, style.paddingLeft, style.marginTop, style.marginBottom, style.rowGap, style.columnGap]) {
        const distance = px(value)
        if (distance >= 2 && distance <= 128) distances.push(distance)
      }
    }
    if (/grid|flex/.test(style.display) && px(style.columnGap) > 0 && element.children.length > 1 && gaps.length < maxItems) gaps.push(px(style.columnGap))
    if (px(style.borderTopLeftRadius) > 0 && radii.length < maxItems) radii.push(style.borderTopLeftRadius)

    let length = 0
    for (const node of element.childNodes) if (node.nodeType === 3) length += node.data.trim().length
    if (length === 0 || closest(element, 'button, [role=button], select, option, textarea')) continue
    const heading = closest(element, 'h1, h2, h3, h4, h5, h6')
    const role = closest(element, 'pre, code, kbd, samp') ? 'code' : heading ? 'heading' : closest(element, 'a[href]') ? 'link' : 'text'
    if (role === 'link' && isButton(closest(element, 'a[href]'), getComputedStyle(closest(element, 'a[href]')), closest(element, 'a[href]').getBoundingClientRect())) continue
    const level = role === 'heading' ? Number(heading.localName[1]) : 0
    const isFrame = closest(element, 'header, nav, footer, aside, [role=banner], [role=navigation], [role=contentinfo]') !== null && !closest(element, 'article, main')
    const size = px(style.fontSize)
    const lineHeight = style.lineHeight === 'normal' || size === 0 ? 0 : Math.round((px(style.lineHeight) / size) * 100) / 100
    const sample = { role, level, isFrame, isParagraph: closest(element, 'p') !== null, colour: solid(colourOf(style.color)), size, weight: px(style.fontWeight), family: style.fontFamily, lineHeight }
    const key = JSON.stringify(sample)
    const known = texts.get(key)
    if (known) known.length += length
    else if (texts.size < maxItems) texts.set(key, { ...sample, length })
    if (element.localName === 'p') margins.paragraph.push(style.marginBottom)
    if (element === heading) margins.heading.push(style.marginBottom)
  }

  if (fieldToFocus && inputs[fieldToFocus.at]) {
    const { element, at } = fieldToFocus
    const before = document.activeElement
    const scroll = [scrollX, scrollY]
    const look = () => {
      const style = getComputedStyle(element)
      const outline = style.outlineStyle === 'none' || style.outlineStyle === 'auto' || px(style.outlineWidth) === 0 ? '' : style.outlineColor
      return [style.borderTopColor, outline, (/(?:rgba?|oklch|color)\([^)]*\)/.exec(style.boxShadow) || [''])[0]].map(colourOf)
    }
    const calm = look()
    element.focus({ preventScroll: true })
    for (const animation of document.getAnimations()) if (animation.effect && animation.effect.target === element) animation.finish()
    const focused = look()
    element.blur()
    if (before && before !== document.body && before.focus) before.focus({ preventScroll: true })
    scrollTo({ left: scroll[0], top: scroll[1], behavior: 'instant' })
    inputs[at].focusBorder = focused.find((colour, place) => colour !== '' && colour !== calm[place]) || ''
  }

  const variables = []
  const map = document.documentElement.computedStyleMap ? document.documentElement.computedStyleMap() : []
  for (const [name, values] of map) {
    if (!name.startsWith('--') || !/primary|brand|secondary|accent|success|warning|danger|error|destructive/.test(name)) continue
    const value = String(values[0]).trim()
    const parts = /^[\d.]+(?:deg)? [\d.]+% [\d.]+%$/.test(value) ? 'hsl(' + value + ')' : /^\d+, ?\d+, ?\d+$/.test(value) ? 'rgb(' + value + ')' : value
    const colour = colourOf(parts)
    if (isSeen(colour) && variables.length < maxItems) variables.push({ name, colour: solid(colour) })
  }
  const theme = document.querySelector('meta[name="theme-color"]:not([media*="dark"])')
  const commonest = (list) => {
    const counts = new Map()
    for (const item of list) counts.set(item, (counts.get(item) || 0) + 1)
    return [...counts].sort(([, a], [, b]) => b - a).map(([item]) => item)[0] || ''
  }
  return {
    backgrounds,
    canvas,
    surfaces,
    texts: [...texts.values()],
    buttons,
    inputs,
    variables,
    themeColour: theme ? solid(colourOf(theme.content.trim())) : '',
    notices,
    distances,
    gaps,
    radii,
    paragraphMargin: commonest(margins.paragraph),
    headingMargin: commonest(margins.heading),
    bodyFamily: document.body ? getComputedStyle(document.body).fontFamily : '',
  }
}`)
