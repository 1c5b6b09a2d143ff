import { isObject } from '../../../base/collections/is-object.js'
import { readJson } from '../read-json.js'
import type { Payload } from '../payload.js'
import { unflatten } from '../unflatten.js'

/** The payload of Nuxt 3 and later: `<script id="__NUXT_DATA__">`, a flat list in the format of devalue. */
export const nuxtData: Payload = {
  read({ scripts }) {
    return scripts.flatMap(({ tag, text }) => {
      if (!/\s(?:id=["']?__NUXT_DATA__|data-nuxt-data=)/.test(tag)) return []
      const list = readJson(text)
      const whole = Array.isArray(list) ? unflatten(list, readTagged) : undefined
      if (!isObject(whole)) return []
      const { data, state } = whole
      return [
        { source: '__NUXT_DATA__', scope: 'page' as const, value: data },
        { source: '__NUXT_DATA__', scope: 'state' as const, value: [state, whole['pinia']] },
      ]
    })
  },
}

/** Reads wrappers of Vue, which hold one value, and sets and maps. Others, such as `["Date", "…"]`, hold no index. */
function readTagged(name: string, rest: readonly unknown[], at: (place: unknown) => unknown): unknown {
  if (/^(?:Shallow)?(?:Reactive|Ref)$|^Empty(?:Shallow)?Ref$/.test(name)) return at(rest[0])
  if (name === 'Set') return rest.map((place) => at(place))
  if (name === 'Map') return rest.filter((_place, index) => index % 2 === 1).map((place) => at(place))
  return undefined
}
