import type { DroppedLine } from '../../pdf/output/dropped-lines.js'
import type { Element } from '../../html/tree.js'

/** A part of the page that is not in the content. */
export interface DroppedBlock {
  /** Leads to the element that was dropped, or that the dropped text stands in. CSS. */
  readonly selector: string
  /** Its text, white space collapsed. */
  readonly characters: number
  /** How its text begins. */
  readonly text: string
  readonly reason: string
}

const TEXT_LENGTH = 80

/** Describes what was dropped. @param text all of its text @internal */
export const describeDropped = (element: Element, text: string, reason: string): DroppedBlock =>
  describe(selectorOf(element), text, reason)

/** Describes a line that the parser of a file left out. Its selector leads to the mark of its page, which `pageMarkers` sets. */
export const describeLine = ({ page, text, reason }: DroppedLine): DroppedBlock =>
  describe(`#page-${page}`, text, reason)

function describe(selector: string, text: string, reason: string): DroppedBlock {
  const line = text.replace(/\s+/g, ' ').trim()
  const shown = line.length > TEXT_LENGTH ? `${line.slice(0, TEXT_LENGTH)}…` : line
  return { selector, characters: line.length, text: shown, reason }
}

/** Ancestors that a selector names at most. */
const MAX_STEPS = 4

/** A name that a selector can hold as it is. */
const NAME = /^[A-Za-z_][\w-]{0,60}$/

/** Tag, id or first class of the element and of those around it, up to the first with an id. */
function selectorOf(element: Element): string {
  const steps: string[] = []
  let at: Element | null = element
  while (at !== null && steps.length < MAX_STEPS) {
    const { id = '', class: classes = '' } = at.attribs
    const name = classes
      .slice(0, 500)
      .split(/\s+/)
      .find((one) => NAME.test(one))
    const hasId = NAME.test(id)
    steps.unshift(`${at.name}${hasId ? `#${id}` : name === undefined ? '' : `.${name}`}`)
    if (hasId) break
    at = parentOf(at)
  }
  return steps.join(' > ')
}

const parentOf = ({ parent }: Element): Element | null => (parent !== null && 'attribs' in parent ? parent : null)
