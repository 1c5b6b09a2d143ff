import { writeFormTemplate } from '../reading/search-template.js'
import type { SearchDeclaration } from '../search-page.js'

/** A search box: a form that is sent by GET. One that says that it is a search comes before one that is known by its field. */
export const form: SearchDeclaration = {
  rank: 3,
  find: ({ forms, resolve }) =>
    forms
      .toSorted((one, other) => Number(other.isMarked) - Number(one.isMarked))
      .flatMap(({ action, field, hidden, selected }) => {
        const target = resolve(action.replace(/[?#].*$/s, ''))
        const url =
          writeFormTemplate(target, field, [...hidden, ...selected]) ?? writeFormTemplate(target, field, hidden)
        return url === undefined ? [] : [{ url }]
      }),
}
