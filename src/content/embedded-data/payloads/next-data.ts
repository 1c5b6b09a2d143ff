import { isObject } from '../../../base/collections/is-object.js'
import { readJson } from '../read-json.js'
import type { Payload } from '../payload.js'

/** Props that the pages router of Next.js passes to a page: `props` of `<script id="__NEXT_DATA__">`. */
export const nextData: Payload = {
  read({ scripts }) {
    const script = scripts.find(({ tag }) => /\sid=["']?__NEXT_DATA__\b/.test(tag))
    const data = script && readJson(script.text)
    if (!isObject(data) || !isObject(data['props'])) return []
    const { pageProps, ...rest } = data['props']
    return [
      { source: '__NEXT_DATA__', scope: 'page', value: pageProps },
      { source: '__NEXT_DATA__', scope: 'state', value: rest },
    ]
  },
}
