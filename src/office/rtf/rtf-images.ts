import { createElement } from '../elements/create-element.js'
import type { RtfState } from './rtf-state.js'

/** Counts the pictures of an RTF file and puts them into its text. */
export class RtfImages {
  #count = 0

  add(state: RtfState): void {
    // A drawing has other pictures too: what it is filled with.
    const isShown = state.property === '' || state.property === 'pib'
    state.destination = isShown ? 'property' : 'skip'
    if (!isShown) return
    state.property = ''
    this.#count += 1
    const picture = createElement('img', { src: `#picture-${this.#count}`, alt: state.drawing?.alt ?? '' })
    state.drawing = Object.assign(state.drawing ?? { alt: '' }, { picture })
    state.story.node(picture, { href: state.href })
  }
}

const MAX_DESCRIPTION = 2000

/** Adds to the description of the drawing around. */
export function describeDrawing({ drawing }: RtfState, text: string): void {
  if (drawing === undefined || drawing.alt.length > MAX_DESCRIPTION) return
  drawing.alt += text
  if (drawing.picture !== undefined) drawing.picture.attribs['alt'] = drawing.alt
}
