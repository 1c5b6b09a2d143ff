import { isObject } from '../../../base/collections/is-object.js'
import { findJsonAt, readJson } from '../read-json.js'
import { readLiteral } from '../read-literal.js'
import type { DataScope, PageData, Payload } from '../payload.js'
import { ownValue } from '../../../base/collections/own-value.js'

/** Global variables in which frameworks and stores pass their state to the browser, as they document it. */
const globals: Readonly<Record<string, DataScope>> = {
  __NUXT__: 'page',
  __remixContext: 'page',
  pageData: 'page',
  ___pageData: 'page',
  __APOLLO_STATE__: 'state',
  __INITIAL_STATE__: 'state',
  __INITIAL_DATA__: 'state',
  __INITIAL_PROPS__: 'page',
  __PRELOADED_STATE__: 'state',
  __REDUX_STATE__: 'state',
  __REACT_QUERY_STATE__: 'state',
  __PRELOADED_QUERIES__: 'state',
  __URQL_DATA__: 'state',
  __STATE__: 'state',
  __DATA__: 'state',
}

const assignment = /\b(?:window|self|globalThis)(?:\.([\w$]{4,40})|\[\s*["']([\w$]{4,40})["']\s*\])\s*=(?!=)\s*/g
/** Maximum number of assignments to read in one page. */
const MAX_ASSIGNMENTS = 50
/**
 * Maximum number of characters to search for the ends of values, because an unclosed value would be searched to the end
 * of the page for each assignment.
 */
const MAX_SEARCHED = 4_000_000

/**
 * State that a script assigns to a property of `window`: Apollo, Redux and Vuex, Nuxt 2, Remix, Gatsby. Only values written
 * as JSON, as a literal, or as `JSON.parse("…")`, are read.
 */
export const globalState: Payload = {
  read({ scripts }) {
    const found: PageData[] = []
    let searched = 0
    let left = MAX_SEARCHED
    for (const { tag, text } of scripts) {
      if (/\ssrc=/i.test(tag)) continue
      for (const match of text.matchAll(assignment)) {
        const name = match[1] ?? match[2] ?? ''
        const scope = ownValue(globals, name)
        if (scope === undefined) continue
        if (++searched > MAX_ASSIGNMENTS || left <= 0) return found
        const { value, searched: through } = readAssigned(text, match.index + match[0].length)
        left -= through
        if (value !== undefined) found.push({ source: name, scope, value: narrow(name, value) })
      }
    }
    return found
  },
}

function readAssigned(text: string, from: number): { readonly value: unknown; readonly searched: number } {
  const parsing = /^JSON\.parse\(\s*/.exec(text.slice(from, from + 40))
  const { text: written, searched } = findJsonAt(text, from + (parsing?.[0].length ?? 0))
  const value = written === undefined ? undefined : readJson(written)
  // Nuxt 2 writes names without quotes.
  if (!parsing) return { value: value ?? readLiteral(written ?? '', 0), searched }
  return { value: typeof value === 'string' ? readJson(value) : undefined, searched }
}

/** Returns the part of a framework's state that holds the page's data. */
function narrow(name: string, value: unknown): unknown {
  if (!isObject(value)) return value
  if (name === '__NUXT__') return [value['data'], value['fetch']]
  if (name === '__remixContext') return isObject(value['state']) ? value['state']['loaderData'] : undefined
  if (name === '__APOLLO_STATE__') return dereference(value)
  if (name.endsWith('pageData')) return isObject(value['result']) ? value['result'] : value
  return value
}

/** Resolves references in Apollo's cache, which holds each object once: a query's result refers to it by `{ "__ref": "Post:1" }`. */
function dereference(cache: Readonly<Record<string, unknown>>): unknown {
  const made = new Map<object, unknown>()
  const waiting: (() => void)[] = []
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const reference = isObject(value) ? value['__ref'] : undefined
    const meant = typeof reference === 'string' && Object.hasOwn(cache, reference) ? cache[reference] : value
    if (!isObject(meant) && !Array.isArray(meant)) return meant
    if (made.has(meant)) return made.get(meant)
    const target: object = Array.isArray(meant) ? [] : Object.create(null)
    made.set(meant, target)
    waiting.push(() => {
      if (Array.isArray(meant)) Object.assign(target, meant.map(copy))
      else
        for (const [key, inner] of Object.entries(meant))
          Object.assign(target, { [key.replace(/\(.*/s, '')]: copy(inner) })
    })
    return target
  }
  const root = copy(cache['ROOT_QUERY'] ?? cache)
  for (let next = waiting.pop(); next; next = waiting.pop()) next()
  return root
}
