import type { FeaturePage, StepResult } from '../../kernel/page/feature-page.js'
import type { DocumentAddition, PageInternals } from '../../kernel/page/feature-steps.js'
import type { FeatureSteps } from '../../kernel/engine/feature.js'
import type { OwnFeature } from './own-feature.js'
import { showPage, type ShownPage } from './own-page.js'
import { mergeAdditions, readAddition, readFields, readHeaders, readSentence, readStep } from './read-own.js'

/** Slice of a feature of the caller. */
export interface OwnSlice {
  /** Its formats that the page asks for, each once. */
  readonly items: readonly { readonly type: string }[]
}

/** Steps of a feature of the caller: what it finds on a page is made its part of the document at once. */
type OwnSteps = FeatureSteps<OwnSlice, DocumentAddition>

/** Makes the steps of a feature of the caller. Its functions may return anything, and change what they are given. */
export const makeOwnSteps = (own: OwnFeature): OwnSteps => ({
  ...makeRefuse(own),
  ...makeRequest(own),
  ...makePageSteps(own),
})

function makeRefuse(own: OwnFeature): OwnSteps {
  const { refuse } = own
  if (!refuse) return {}
  const ask: NonNullable<OwnSteps['refuse']> = async ({ url, signal }) => {
    const reason = readSentence(await refuse({ url, signal }), '`refuse` returned')
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

function makeRequest({ request }: OwnFeature): OwnSteps {
  if (!request) return {}
  return {
    request: async ({ url, headers, signal }) => {
      const change: unknown = await request({ url, headers, signal })
      return change === undefined ? undefined : { headers: readHeaders(change, '`request` returned') }
    },
  }
}

function makePageSteps(own: OwnFeature): OwnSteps {
  const { afterDigest, enrich } = own
  const hasFormats = (own.formats ?? []).length > 0
  const isRead = afterDigest !== undefined || hasFormats
  // The second step of a page adds to what the first one has made.
  const made = new WeakMap<object, DocumentAddition>()
  const add = ({ visit }: PageInternals, additions: readonly DocumentAddition[]): DocumentAddition | undefined => {
    const before = made.get(visit)
    const [first, ...more] = before ? [before, ...additions] : additions
    if (!first) return undefined
    const addition = more.reduce(mergeAdditions, first)
    made.set(visit, addition)
    return addition
  }
  return {
    ...(isRead && {
      async afterDigest(page: FeaturePage<OwnSlice>, internals: PageInternals): Promise<StepResult<DocumentAddition>> {
        made.delete(internals.visit)
        using shown = showPage(page, false)
        const { found, refused } = readStep(await afterDigest?.(shown.view))
        if (refused !== undefined) return { refused: nameReason(own, refused) }
        const additions = await describe(own, found)
        return {
          found: add(internals, page.isGiven ? [...additions, ...(await produce(own, page, shown))] : additions),
        }
      },
    }),
    ...((enrich || hasFormats) && {
      async enrich(page: FeaturePage<OwnSlice>, internals: PageInternals): Promise<DocumentAddition | undefined> {
        // An earlier attempt at the page may have made some.
        if (!isRead) made.delete(internals.visit)
        using shown = showPage(page, true)
        const additions = await describe(own, await enrich?.(shown.view))
        return add(internals, [...additions, ...(await produce(own, page, shown))])
      },
    }),
  }
}

/** Makes the part of a document of what a step has found. */
async function describe(own: OwnFeature, found: unknown): Promise<readonly DocumentAddition[]> {
  const { document } = own
  return found === undefined || !document ? [] : [readAddition(await document(found))]
}

/** Makes the formats that a page asks for. */
async function produce(
  { formats = [] }: OwnFeature,
  { slice }: FeaturePage<OwnSlice>,
  { view }: ShownPage,
): Promise<readonly DocumentAddition[]> {
  const made: DocumentAddition[] = []
  for (const item of slice.items) {
    const format = formats.find(({ type }) => type === item.type)
    const fields: unknown = await format?.produce(view, structuredClone(item))
    if (fields !== undefined) made.push({ fields: readFields(fields, '`produce`') })
  }
  return made
}
