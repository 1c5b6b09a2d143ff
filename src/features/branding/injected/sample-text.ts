import { builtInsOf } from '../../browser/injected/built-ins-of.js'
import type { TextSample } from './branding-samples.js'
import { readColour, toSolid } from './read-colour.js'
import { findClosest, readFill, type StyledElement, toPixels } from './read-style.js'
import { isButton } from './sample-controls.js'

const controls = 'button, [role=button], select, option, textarea'
const frames = 'header, nav, footer, aside, [role=banner], [role=navigation], [role=contentinfo]'

/** Describes the text directly inside an element; undefined if there is none, and for labels of controls. */
export function sampleText({ element, style }: StyledElement): TextSample | undefined {
  let length = 0
  for (const node of builtInsOf(element).childNodes)
    if (builtInsOf(node).nodeType === 3) length += (node.nodeValue ?? '').trim().length
  if (length === 0 || findClosest(element, controls)) return undefined
  const heading = findHeading(element)
  const link = findClosest(element, 'a[href]') as HTMLElement | null
  const role = findClosest(element, 'pre, code, kbd, samp') ? 'code' : heading ? 'heading' : link ? 'link' : 'text'
  if (role === 'link' && link && isLinkButton(link)) return undefined
  const size = toPixels(style.fontSize)
  const isNormal = style.lineHeight === 'normal' || size === 0
  return {
    role,
    level: role === 'heading' ? Number(heading?.localName[1]) : 0,
    isBoilerplate: findClosest(element, frames) !== null && !findClosest(element, 'article, main'),
    isParagraph: findClosest(element, 'p') !== null,
    colour: toSolid(readColour(style.color)),
    size,
    weight: toPixels(style.fontWeight),
    family: style.fontFamily,
    lineHeight: isNormal ? 0 : Math.round((toPixels(style.lineHeight) / size) * 100) / 100,
    length,
  }
}

export const findHeading = (element: Element): Element | null => findClosest(element, 'h1, h2, h3, h4, h5, h6')

function isLinkButton(link: HTMLElement): boolean {
  const style = getComputedStyle(link)
  return isButton({ element: link, style, box: link.getBoundingClientRect(), fill: readFill(style) })
}
