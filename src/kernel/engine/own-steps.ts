import { isObject } from '../../base/collections/is-object.js'
import { printSeen } from '../../base/errors.js'
import { shortenText } from '../../base/text/cut-text.js'
import { connectionHeaders } from '../fetch/identity/request-headers.js'
import { HEADER_NAME, HEADER_VALUE } from '../options/fields/headers.js'
import type { FeatureSteps } from './feature.js'
import type { OwnFeature } from './own-feature.js'

/** Maximum length of a sentence of a caller's feature. Characters. */
const MAX_SENTENCE = 1_000
/** Maximum length of the headers that it adds. Characters. */
const MAX_HEADERS = 65_536

/** Makes the steps of a feature of the caller. Its functions may return anything, and change what they are given. */
export const makeOwnSteps = (own: OwnFeature): FeatureSteps => ({
  ...makeRefuse(own, own.refuse),
  ...makeRequest(own, own.request),
})

function makeRefuse(own: OwnFeature, refuse: OwnFeature['refuse']): FeatureSteps {
  if (!refuse) return {}
  const { name } = own
  const ask: NonNullable<FeatureSteps['refuse']> = async ({ url, signal }) => {
    const reason = readSentence(await refuse.call(own, { url, signal }), 'refuse')
    return reason === undefined ? undefined : `feature \`${name}\`: ${reason}`
  }
  return {
    refuse: ask,
    // A page from the cache, or from a browser, has been redirected before anybody was asked.
    async beforeDigest({ url, finalUrl, signal, slice }, internals) {
      if (finalUrl === url) return undefined
      return { refused: await ask({ url: finalUrl, signal, slice }, internals) }
    },
  }
}

function makeRequest(own: OwnFeature, request: OwnFeature['request']): FeatureSteps {
  if (!request) return {}
  return {
    request: async ({ url, headers, signal }) => {
      const change: unknown = await request.call(own, { url, headers, signal })
      return change === undefined ? undefined : { headers: readHeaders(change) }
    },
  }
}

/** Reads a sentence that a function has returned, without a full stop. @throws TypeError for anything else */
function readSentence(given: unknown, from: string): string | undefined {
  if (given === undefined) return undefined
  const text = typeof given === 'string' ? shortenText(given.trim(), MAX_SENTENCE).replace(/\.$/, '') : ''
  if (text === '') throw new TypeError(`its \`${from}\` returned ${printSeen(given)}: a sentence, or undefined`)
  return text
}

/** Reads the headers of a change, with names in lower case. No message shows a value: it may be a credential. @throws TypeError */
function readHeaders(change: unknown): Record<string, string | undefined> | undefined {
  const fail = (problem: string): never => {
    throw new TypeError(`its \`request\` returned ${problem}`)
  }
  if (!isObject(change) || Object.keys(change).some((name) => name !== 'headers'))
    return fail(`${printSeen(change)}: an object with \`headers\`, or undefined`)
  const { headers } = change
  if (headers === undefined) return undefined
  if (!isObject(headers) || !isPlain(headers)) return fail('`headers` that are no object with a string for each name')
  const entries = Object.entries(headers)
  let length = 0
  for (const [name, value] of entries) {
    if (!HEADER_NAME.test(name) || connectionHeaders.has(name.toLowerCase()))
      return fail(`a header with the name ${printSeen(name)}, which cannot be given`)
    if (value !== undefined && (typeof value !== 'string' || !HEADER_VALUE.test(value)))
      return fail(`the header \`${name}\` with what is no string of one line`)
    length += name.length + (value?.length ?? 0)
  }
  if (length > MAX_HEADERS) return fail(`headers of ${length} characters: at most ${MAX_HEADERS}`)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value as string | undefined]))
}

/** Tests for an object of fields: `Headers` has none. */
const isPlain = (value: object): boolean =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
