import { builtInsOf, pageDocument } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'

const MAX_NAMES = 5000

/** Lists the ids and the classes on a page, at most five thousand of each. For an isolated world. */
export const listIdsAndClasses: PageFunctions['listIdsAndClasses'] = () => {
  const ids = new Set<string>()
  const classes = new Set<string>()
  for (const element of pageDocument.querySelectorAll('[id], [class]')) {
    const { id, classList } = builtInsOf(element)
    if (id && ids.size < MAX_NAMES) ids.add(id)
    for (const name of classList) if (classes.size < MAX_NAMES) classes.add(name)
  }
  return { ids: [...ids], classes: [...classes] }
}
