import { readJson } from '../read-json.js'
import type { Payload } from '../payload.js'

/** Matches scripts that another plug-in reads, or that do not contain data of the page. */
const others = /__NEXT_DATA__|__NUXT_DATA__|data-nuxt-data|data-sveltekit-fetched|speculationrules|importmap/

/** Data in any other `<script type="application/json">`: Angular's `ng-state`, Inertia, islands and custom ones. */
export const jsonScript: Payload = {
  read({ scripts }) {
    return scripts.flatMap(({ tag, text }) => {
      if (!/\stype=["']?(?:application|text)\/json\b/i.test(tag) || others.test(tag)) return []
      const value = readJson(text)
      if (typeof value !== 'object' || value === null) return []
      const id = /\sid=["']?([\w:.-]+)/.exec(tag)?.[1]
      return [{ source: id ?? 'application/json', scope: 'state' as const, value }]
    })
  },
}
