import { type Element, append, collapse, textOf } from '../../html/tree.js'
import { createElement, takeChildren } from './create-element.js'
import { type Box, inReadingOrder } from './reading-order.js'

/** Contents of a slide. */
interface SlideParts {
  /** Outline level, from 1. */
  readonly number: number
  readonly shapes: readonly { readonly box: Box | undefined; readonly isTitle: boolean; readonly content: Element }[]
  /** Speaker's notes. */
  readonly notes: Element | undefined
}

/** Appends a slide: its title as a heading, its shapes in reading order, and the speaker's notes. */
export function buildSlide({ number, shapes, notes }: SlideParts, into: Element): void {
  const title = shapes.find(({ isTitle }) => isTitle)
  const text = title === undefined ? '' : collapse(textOf(title.content))
  append(into, createElement('h2', {}, [text === '' ? `Slide ${number}` : text]))
  for (const { content } of inReadingOrder(shapes.filter((shape) => shape !== title))) append(into, content)
  if (notes === undefined || collapse(textOf(notes)) === '') return
  append(into, createElement('p', {}, ['Notes:']))
  for (const node of takeChildren(notes)) append(into, node)
}
