import { isObject, type JsonObject } from '../../../../base/collections/is-object.js'
import { listParameters, readTemplate } from '../reading/search-template.js'
import { listOf, textOf } from '../reading/values.js'
import type { SearchDeclaration } from '../search-page.js'

/** Usual name of the parameter, for an action that does not name it. */
const USUAL_NAME = 'search_term_string'
/** Maximum number of actions of a site, and of targets of an action. */
const MAX_ACTIONS = 10

/**
 * `SearchAction` of a `WebSite` in JSON-LD.
 *
 * @see https://schema.org/SearchAction
 */
export const jsonLd: SearchDeclaration = {
  rank: 1,
  find: ({ linkedData, resolve }) =>
    linkedData
      .filter((object) => hasType(object, 'WebSite'))
      .flatMap((site) => all(site['potentialAction']))
      .flatMap((action) => (isObject(action) && hasType(action, 'SearchAction') ? listTargets(action) : []))
      .flatMap((written) => {
        const url = readTemplate(written, resolve)
        return url === undefined ? [] : [{ url }]
      }),
}

function listTargets(action: JsonObject): { readonly text: string; readonly name: string }[] {
  const declared = nameIn(action['query-input'] ?? action['query'])
  return all(action['target']).flatMap((target) => {
    const text = (isObject(target) ? textOf(target['urlTemplate'] ?? target['url']) : textOf(target)).trim()
    const names = listParameters(text)
    const name =
      [declared, USUAL_NAME].find((one) => names.includes(one)) ?? (names.length === 1 ? names[0] : undefined)
    return name === undefined ? [] : [{ text, name }]
  })
}

/** Name of the parameter: `required name=search_term_string`, or a `PropertyValueSpecification`. */
function nameIn(input: unknown): string {
  if (isObject(input)) return textOf(input['valueName'])
  return /\bname\s{0,5}=\s{0,5}([\w:.-]{1,60})/.exec(textOf(input).slice(0, 200))?.[1] ?? ''
}

const all = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? listOf(value).slice(0, MAX_ACTIONS) : [value]

/** Tests for a type, which may be written as `schema:WebSite` or `https://schema.org/WebSite`. */
const hasType = (object: JsonObject, type: string): boolean =>
  all(object['@type']).some((own) => textOf(own).endsWith(type))
