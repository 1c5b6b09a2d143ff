import { builtInsOf, pageDocument } from '../../browser/injected/built-ins-of.js'
import type { ControlSample } from './branding-samples.js'
import { isOpaque, readColour } from './read-colour.js'
import { findBackground, readCanvas, type StyledElement, toPixels } from './read-style.js'

const buttonSelector = 'button, [role=button], input[type=submit], input[type=button]'
const textFields =
  'input:not([type]), input[type=text], input[type=email], input[type=search], input[type=password], input[type=tel], input[type=url], textarea'
/** Range of heights of links that look like buttons. CSS pixels. */
const BUTTON_HEIGHTS = { min: 20, max: 90 } as const
/** Maximum length of the text of a link that looks like a button. Characters. */
const MAX_LABEL = 40
/** Minimum padding at the left and right of a link that looks like a button. CSS pixels. */
const MIN_PADDING = 8

/** Tests for a button, or a link that looks like one: padded, with a border or a background colour of its own. */
export function isButton({ element, style, box, fill }: StyledElement): boolean {
  if (builtInsOf(element).matches(buttonSelector)) return true
  const { min, max } = BUTTON_HEIGHTS
  if (!builtInsOf(element).matches('a[href]') || box.height < min || box.height > max || style.display === 'inline')
    return false
  const label = element.textContent.trim()
  if (label === '' || label.length > MAX_LABEL) return false
  if (toPixels(style.paddingLeft) < MIN_PADDING || toPixels(style.paddingRight) < MIN_PADDING) return false
  const hasBorder =
    toPixels(style.borderTopWidth) > 0 &&
    toPixels(style.borderLeftWidth) > 0 &&
    isOpaque(readColour(style.borderTopColor))
  return hasBorder || (fill !== '' && element.parentElement !== null && fill !== findBackground(element.parentElement))
}

export const isTextField = (element: Element): element is HTMLInputElement | HTMLTextAreaElement =>
  builtInsOf(element).matches(textFields)

export function sampleControl({ element, style, box, fill }: StyledElement): ControlSample {
  const { parentElement } = builtInsOf(element)
  return {
    background: fill,
    behind: parentElement ? findBackground(parentElement) : readCanvas(),
    text: readColour(style.color),
    border:
      toPixels(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none' ? readColour(style.borderTopColor) : '',
    radii: [
      style.borderTopLeftRadius,
      style.borderTopRightRadius,
      style.borderBottomRightRadius,
      style.borderBottomLeftRadius,
    ],
    shadow: style.boxShadow === 'none' ? '' : style.boxShadow,
    padding: style.padding,
    area: Math.round(box.width * box.height),
    top: Math.round(box.top + scrollY),
    weight: toPixels(style.fontWeight),
    focusBorder: '',
  }
}

/** Returns the colour of the border, outline or shadow that a field gets while it has the focus; empty if none changes. */
export function sampleFocusBorder(field: HTMLElement): string {
  const active = pageDocument.activeElement as HTMLElement | null
  const position = { left: scrollX, top: scrollY }
  const before = sampleBorders(field)
  field.focus({ preventScroll: true })
  for (const animation of pageDocument.getAnimations()) {
    if ((animation.effect as KeyframeEffect | null)?.target === field) animation.finish()
  }
  const focused = sampleBorders(field)
  field.blur()
  if (active && active !== pageDocument.body && 'focus' in active) active.focus({ preventScroll: true })
  scrollTo({ ...position, behavior: 'instant' })
  return focused.find((colour, place) => colour !== '' && colour !== before[place]) ?? ''
}

function sampleBorders(field: HTMLElement): string[] {
  const style = getComputedStyle(field)
  const isPlain = ['none', 'auto'].includes(style.outlineStyle) || toPixels(style.outlineWidth) === 0
  const outline = isPlain ? '' : style.outlineColor
  const [shadow = ''] = /(?:rgba?|oklch|color)\([^)]*\)/.exec(style.boxShadow) ?? []
  return [style.borderTopColor, outline, shadow].map(readColour)
}
