import { isObject } from '../../../base/collections/is-object.js'
import { readJson, readJsonAt } from '../read-json.js'
import type { Payload } from '../payload.js'
import { unflatten } from '../unflatten.js'

const call = /\.streamController\.enqueue\(/

/** Loader data of React Router 7 and late Remix: a stream of flat lists, of which the first holds the page's data. */
export const turboStream: Payload = {
  read({ scripts }) {
    return scripts.flatMap(({ text }) => {
      const found = call.exec(text.slice(0, 300))
      const chunk = found && readJsonAt(text, found.index + found[0].length)
      if (typeof chunk !== 'string') return []
      const list = readJson(chunk)
      const whole = Array.isArray(list) ? unflatten(list, () => undefined, readKey) : undefined
      if (!isObject(whole) || !isObject(whole['loaderData'])) return []
      return [{ source: '__reactRouterContext', scope: 'page' as const, value: whole['loaderData'] }]
    })
  },
}

/** Reads the name of a member, which is in the list as well: `_7` is the name at index 7. */
function readKey(written: string, at: (place: unknown) => unknown): string {
  const name = at(Number(written.slice(1)))
  return typeof name === 'string' ? name : written
}
