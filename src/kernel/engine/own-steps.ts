import type { FeaturePage, StepResult } from '../page/feature-page.js'
import type { DocumentAddition, PageInternals } from '../page/feature-steps.js'
import type { FeatureSteps } from './feature.js'
import type { OwnFeature } from './own-feature.js'
import { showPage } from './own-page.js'
import { mergeAdditions, readAddition, readHeaders, readSentence, readStep } from './read-own.js'

/** Steps of a feature of the caller: what it finds on a page is made its part of the document at once. */
type OwnSteps = FeatureSteps<unknown, DocumentAddition>

/** Makes the steps of a feature of the caller. Its functions may return anything, and change what they are given. */
export const makeOwnSteps = (own: OwnFeature): OwnSteps => ({
  ...makeRefuse(own, own.refuse),
  ...makeRequest(own, own.request),
  ...makePageSteps(own),
})

function makeRefuse(own: OwnFeature, refuse: OwnFeature['refuse']): OwnSteps {
  if (!refuse) return {}
  const ask: NonNullable<OwnSteps['refuse']> = async ({ url, signal }) => {
    const reason = readSentence(await refuse.call(own, { url, signal }), '`refuse` returned')
    return reason === undefined ? undefined : nameReason(own, reason)
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

const nameReason = ({ name }: OwnFeature, reason: string): string => `feature \`${name}\`: ${reason}`

function makeRequest(own: OwnFeature, request: OwnFeature['request']): OwnSteps {
  if (!request) return {}
  return {
    request: async ({ url, headers, signal }) => {
      const change: unknown = await request.call(own, { url, headers, signal })
      return change === undefined ? undefined : { headers: readHeaders(change, '`request`') }
    },
  }
}

function makePageSteps(own: OwnFeature): OwnSteps {
  const { afterDigest, enrich, document } = own
  // The second step of a page adds to what the first one has made.
  const made = new WeakMap<object, DocumentAddition>()
  const add = async (found: unknown, { visit }: PageInternals): Promise<DocumentAddition | undefined> => {
    if (found === undefined || !document) return undefined
    const addition = mergeAdditions(made.get(visit), readAddition(await document.call(own, found)))
    made.set(visit, addition)
    return addition
  }
  return {
    ...(afterDigest && {
      async afterDigest(page: FeaturePage, internals: PageInternals): Promise<StepResult<DocumentAddition>> {
        made.delete(internals.visit)
        using shown = showPage(page, false)
        const { found, refused } = readStep(await afterDigest.call(own, shown.view))
        const addition = await add(found, internals)
        return { found: addition, ...(refused !== undefined && { refused: nameReason(own, refused) }) }
      },
    }),
    ...(enrich && {
      async enrich(page: FeaturePage, internals: PageInternals): Promise<DocumentAddition | undefined> {
        using shown = showPage(page, true)
        return await add(await enrich.call(own, shown.view), internals)
      },
    }),
  }
}
