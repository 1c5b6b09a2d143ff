import { printSeen } from '../../base/errors.js'
import { shortenText } from '../../base/text/cut-text.js'
import type { FeatureSteps } from './feature.js'
import type { OwnFeature } from './own-feature.js'

/** Maximum length of a sentence of a caller's feature. Characters. */
const MAX_SENTENCE = 1_000

/** Makes the steps of a feature of the caller, whose functions may return anything. */
export function openOwnSteps(own: OwnFeature): FeatureSteps {
  const { name, refuse } = own
  if (!refuse) return {}
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

/** Reads a sentence that a function has returned, without a full stop. @throws TypeError for anything else */
function readSentence(given: unknown, from: string): string | undefined {
  if (given === undefined) return undefined
  const text = typeof given === 'string' ? shortenText(given.trim(), MAX_SENTENCE).replace(/\.$/, '') : ''
  if (text === '') throw new TypeError(`its \`${from}\` returned ${printSeen(given)}: a sentence, or undefined`)
  return text
}
