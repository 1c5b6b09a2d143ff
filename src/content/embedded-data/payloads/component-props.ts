import { decodeEntities } from '../../html/decode-entities.js'
import { readJson } from '../read-json.js'
import { listDataAttributes } from '../../rendering/data-attributes.js'
import type { PageData, Payload } from '../payload.js'

/** Maximum number of attributes to read. */
const MAX_ATTRIBUTES = 200

/**
 * Props that a page writes into an attribute of the place of a component: `data-react-props`, `data-props`,
 * `data-initial-state`, `:article`. Those of Inertia and Astro have readers of their own.
 */
export const componentProps: Payload = {
  read({ html }) {
    const found: PageData[] = []
    let left = MAX_ATTRIBUTES
    for (const { name, value: written } of listDataAttributes(html)) {
      if (name === 'data-page' || name === 'props') continue
      if (left-- === 0) break
      const value = readJson(decodeEntities(written))
      if (typeof value === 'object' && value !== null) found.push({ source: name, scope: 'page', value })
    }
    return found
  },
}
