import { isElement } from '../../html/tree.js'
import type { Format } from '../format.js'
import { ownValue } from '../../collections/own-value.js'

/** What is asked for: one attribute of all that a selector matches. */
export interface AttributeSelector {
  /** A CSS selector, matched in the whole page. */
  selector: string
  /** The attribute's name. */
  attribute: string
}

export interface AttributesFields {
  /** One for each selector asked for, in that order. */
  attributes: { selector: string; attribute: string; values: string[] }[]
}

/** Values of attributes, from the whole page whatever its main content is. @see docs/compatibility.md#page-data */
export const attributes: Format<{ type: 'attributes'; selectors: AttributeSelector[] }, AttributesFields> = {
  type: 'attributes',
  options: (z) => ({
    selectors: z.array(z.strictObject({ selector: z.string().min(1), attribute: z.string().min(1) })).min(1),
  }),
  convert: ({ page }, { selectors }) => ({
    attributes: selectors.map(({ selector, attribute }) => {
      const name = attribute.toLowerCase()
      const values = page
        .$(selector)
        .get()
        .flatMap((node) =>
          isElement(node) ? (ownValue(node.attribs, name) ?? node.attribs[`data-${name}`] ?? []) : [],
        )
      return { selector, attribute, values }
    }),
  }),
}
