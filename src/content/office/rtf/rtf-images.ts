import { createElement } from '../elements/create-element.js'
import type { RtfState } from './rtf-state.js'

/** Numbers the images of an RTF file and inserts them into its text. */
export class RtfImages {
  #count = 0

  add(state: RtfState): void {
    // Only the image itself is displayed: a drawing also contains images for fills and the like.
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

/** Appends text to the description of the enclosing drawing. */
export function describeDrawing({ drawing }: RtfState, text: string): void {
  if (drawing === undefined || drawing.alt.length > MAX_DESCRIPTION) return
  drawing.alt += text
  if (drawing.picture !== undefined) drawing.picture.attribs['alt'] = drawing.alt
}
