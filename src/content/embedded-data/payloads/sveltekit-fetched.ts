import { isObject } from '../../../base/collections/is-object.js'
import { readJson } from '../read-json.js'
import type { Payload } from '../payload.js'

/** Responses that SvelteKit's `load` functions received on the server: `<script data-sveltekit-fetched>`. */
export const sveltekitFetched: Payload = {
  read({ scripts }) {
    return scripts.flatMap(({ tag, text }) => {
      if (!/\sdata-sveltekit-fetched\b/.test(tag)) return []
      const answer = readJson(text)
      if (!isObject(answer) || typeof answer['body'] !== 'string' || Number(answer['status'] ?? 200) >= 400) return []
      const value = readJson(answer['body'])
      return value === undefined ? [] : [{ source: 'data-sveltekit-fetched', scope: 'page' as const, value }]
    })
  },
}
