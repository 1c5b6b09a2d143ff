import { isObject, type JsonObject } from '../../../base/collections/is-object.js'
import { parseLooseJson } from '../../../base/text/parse-loose-json.js'
import { MAX_LENGTH } from '../read-json.js'
import type { PageData, Payload } from '../payload.js'
import { countWords } from '../text-kind.js'

/**
 * Types whose `articleBody` is the whole text of the page. `DiscussionForumPosting` is not among them, because its
 * replies are not in it.
 */
const articles = /(?:Article|BlogPosting|Report)$/
/** Properties of an article that become text of the page. */
const shown = ['headline', 'name', 'author', 'articleBody']
/** Minimum number of words of an `articleBody` that is the whole text; a shorter one may be an excerpt. */
const MIN_WHOLE = 100
const MAX_OBJECTS = 500

/**
 * JSON-LD: metadata of a page for search engines. It has the whole body of an article; for other types it may have less
 * than the page shows.
 *
 * @see https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents
 * @see https://schema.org/Article
 */
export const jsonLd: Payload = {
  read({ scripts }) {
    const values = scripts.flatMap(({ tag, text }) => {
      if (!/\stype=["']?application\/ld\+json\b/i.test(tag)) return []
      return text.length > MAX_LENGTH ? [] : (parseLooseJson(text) ?? [])
    })
    const works = listObjects(values).filter(isWhole)
    const whole = works.map((work): PageData => ({
      source: 'JSON-LD',
      scope: 'state',
      value: Object.fromEntries(Object.entries(work).filter(([name]) => shown.includes(name))),
    }))
    return values.length === 0 ? [] : [...whole, { source: 'JSON-LD', scope: 'description', value: values }]
  },
}

const isWhole = ({ '@type': type, articleBody }: JsonObject): boolean =>
  [type].flat().some((one) => typeof one === 'string' && articles.test(one)) &&
  typeof articleBody === 'string' &&
  countWords(articleBody) >= MIN_WHOLE

/** Lists the objects on the outer levels, which describe the page itself. */
function listObjects(values: readonly unknown[]): JsonObject[] {
  const found: JsonObject[] = []
  const queue = [...values]
  for (let at = 0; at < queue.length && found.length < MAX_OBJECTS; at++) {
    const value = queue[at]
    if (Array.isArray(value)) queue.push(...value.slice(0, MAX_OBJECTS))
    else if (isObject(value)) {
      found.push(value)
      queue.push(value['@graph'], value['mainEntity'], value['mainEntityOfPage'])
    }
  }
  return found
}
