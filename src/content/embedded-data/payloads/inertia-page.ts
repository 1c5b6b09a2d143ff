import { decodeEntities } from '../../html/decode-entities.js'
import { isObject } from '../../../base/collections/is-object.js'
import { readJson } from '../read-json.js'
import type { Payload } from '../payload.js'

/** Props that Inertia passes to a page of Laravel, Rails or Django: the attribute `data-page` of the mount point. */
export const inertiaPage: Payload = {
  read({ html }) {
    const attribute = /\sdata-page=(?:"(\{[^"]*\})"|'(\{[^']*\})')/.exec(html)
    const page = attribute && readJson(decodeEntities(attribute[1] ?? attribute[2] ?? ''))
    return isObject(page) ? [{ source: 'data-page', scope: 'page', value: page['props'] }] : []
  },
}
