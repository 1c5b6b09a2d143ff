import { pageFunction } from '../browser-page/page-function.js'
import type { PageParts } from './request-filter.js'

/** The ids and classes on a page: at most five thousand of each. For an isolated world. */
export const listParts: () => PageParts = pageFunction(`() => {
  const most = 5000
  const ids = new Set()
  const classes = new Set()
  for (const element of document.querySelectorAll('[id], [class]')) {
    if (element.id && ids.size < most) ids.add(element.id)
    for (const name of element.classList) if (classes.size < most) classes.add(name)
  }
  return { ids: [...ids], classes: [...classes] }
}`)
