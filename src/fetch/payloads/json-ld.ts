import { isObject, type JsonObject } from '../../collections/is-object.js'
import { readJson } from '../embedded-data/read-json.js'
import type { PageData, Payload } from '../embedded-data/payload.js'
import { countWords } from '../embedded-data/text-kind.js'

/** Works whose `articleBody` is their text; of a posting in a forum the answers would be missing. */
const articles = /(?:Article|BlogPosting|Report)$/
/** What is shown of them. */
const shown = ['headline', 'name', 'author', 'articleBody']
/** A text that is shorter may be a part of it. Words. */
const MIN_WHOLE = 100
const MAX_OBJECTS = 500

/**
 * What a page tells search engines about itself. The body of an article is given there in full;
 * everything else may be less than the page says. @see JSON-LD 1.1 section 7, schema.org/Article
 */
export const jsonLd: Payload = {
  read({ scripts }) {
    const values = scripts.flatMap(({ tag, text }) => {
      if (!/\stype=["']?application\/ld\+json\b/i.test(tag)) return []
      // Some systems leave line breaks inside of strings.
      return readJson(text) ?? readJson(text.replace(/[\r\n\t]+/g, ' ')) ?? []
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

/** Objects of the first levels: a page describes itself there. */
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
