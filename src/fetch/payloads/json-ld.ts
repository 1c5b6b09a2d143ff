import { readJson } from '../read-json.js'
import type { Payload } from '../payload.js'

/** What a page tells search engines about itself. @see JSON-LD 1.1 section 7, schema.org */
export const jsonLd: Payload = {
  read({ scripts }) {
    return scripts.flatMap(({ tag, text }) => {
      if (!/\stype=["']?application\/ld\+json\b/i.test(tag)) return []
      // Some systems leave line breaks inside of strings.
      const value = readJson(text) ?? readJson(text.replace(/[\r\n\t]+/g, ' '))
      return value === undefined ? [] : [{ source: 'JSON-LD', scope: 'description' as const, value }]
    })
  },
}
