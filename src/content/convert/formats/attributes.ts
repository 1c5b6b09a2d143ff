import { CharacterBudget, limitWarning } from '../../html/document-limits.js'
import { collapse, isElement, textOf } from '../../html/tree.js'
import type { Format } from '../format.js'
import { ownValue } from '../../../base/collections/own-value.js'

/** A request for one attribute of all elements that a selector matches. */
interface AttributeSelector {
  /** CSS selector, matched in the whole page. */
  selector: string
  /** Name of the attribute; `textContent` for the text of the element. */
  attribute: string
}

interface AttributesFields {
  /** One entry for each requested selector, in that order. */
  attributes: { selector: string; attribute: string; values: string[] }[]
}

/** Names, in lower case, by which the text of an element is asked for elsewhere. */
const TEXT_NAMES: ReadonlySet<string> = new Set(['text', 'text()', '::text', 'innertext', 'textcontent', 'innerhtml'])

const describeText = (selector: string, attribute: string): string =>
  `No element of "${selector}" has an attribute "${attribute}" in \`attributes\`: \`attribute: 'textContent'\` gives their text.`

/** Values of attributes in the whole page, whatever its main content is. @see docs/compatibility/documents.md#page-data */
export const attributes: Format<{ type: 'attributes'; selectors: AttributeSelector[] }, AttributesFields> = {
  type: 'attributes',
  readsPage: 'always',
  options: (z) => ({
    selectors: z.array(z.strictObject({ selector: z.string().min(1), attribute: z.string().min(1) })).min(1),
  }),
  selectorsIn: ({ selectors }) =>
    selectors.map(({ selector }, index) => ({ path: ['selectors', index, 'selector'], selector })),
  convert({ page, limits }, { selectors }, _, warn) {
    // Each selector may match each element.
    const budget = new CharacterBudget(limits.part)
    const found = selectors.map(({ selector, attribute }) => {
      const name = attribute.toLowerCase()
      const nodes = page.tree.$(selector).get().filter(isElement)
      const values = nodes.flatMap(
        (node) =>
          ownValue(node.attribs, name) ??
          node.attribs[`data-${name}`] ??
          (attribute === 'textContent' ? collapse(textOf(node)) : []),
      )
      if (nodes.length > 0 && values.length === 0 && TEXT_NAMES.has(name)) warn?.(describeText(selector, attribute))
      return { selector, attribute, values: values.filter((value) => budget.take(value.length + 1)) }
    })
    if (budget.leftOut > 0)
      warn?.(limitWarning(budget.leftOut, 'values of attributes are missing in `attributes`', limits.part))
    return { attributes: found }
  },
}
