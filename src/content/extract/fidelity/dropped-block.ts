import type { DroppedLine } from '../../../base/text/dropped-lines.js'
import { type Element, parentElement } from '../../html/tree.js'
import { cutText } from '../../../base/text/cut-text.js'

/** A part of the page that is not in the content. */
export interface DroppedBlock {
  /** CSS selector of the dropped element, or of the element around the dropped text. */
  readonly selector: string
  /** Length of its text, white space collapsed. Characters. */
  readonly characters: number
  /** Start of its text, at most 80 characters. */
  readonly text: string
  readonly reason: string
}

const MAX_TEXT_LENGTH = 80

/** Describes a dropped part. @param text all of its text @internal */
export const describeDropped = (element: Element, text: string, reason: string): DroppedBlock =>
  describe(selectorOf(element), text, reason)

/** Describes text that the parser of a file dropped. The markers of a PDF file's pages exist with `pageMarkers`. */
export const describeLine = ({ selector, text, reason }: DroppedLine): DroppedBlock => describe(selector, text, reason)

function describe(selector: string, text: string, reason: string): DroppedBlock {
  const line = text.replace(/\s+/g, ' ').trim()
  const shown = line.length > MAX_TEXT_LENGTH ? `${cutText(line, MAX_TEXT_LENGTH)}…` : line
  return { selector, characters: line.length, text: shown, reason }
}

/** Maximum elements in a selector. */
const MAX_STEPS = 4

/** Names that need no escaping in a selector. */
const NAME = /^[A-Za-z_][\w-]{0,60}$/

/** Returns a selector of tag names with id or first class, from the element up to the first ancestor with an id. @internal */
export function selectorOf(element: Element): string {
  const steps: string[] = []
  let at: Element | undefined = element
  while (at !== undefined && steps.length < MAX_STEPS) {
    const { id = '', class: classes = '' } = at.attribs
    const name = classes
      .slice(0, 500)
      .split(/\s+/)
      .find((one) => NAME.test(one))
    const hasId = NAME.test(id)
    steps.unshift(`${at.name}${hasId ? `#${id}` : name === undefined ? '' : `.${name}`}`)
    if (hasId) break
    at = parentElement(at)
  }
  return steps.join(' > ')
}
