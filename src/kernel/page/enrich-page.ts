import type { Digest } from '../../content/digest/digest.js'
import { enrich, type Extras } from '../enrich/enrich.js'
import type { PageModel } from '../../base/llm/page-model.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { publishMedia } from '../../base/media/publish-media.js'
import type { LoadedSnapshot } from '../snapshot/load-snapshot.js'
import type { FeatureResults } from './feature-steps.js'
import type { PageContext } from './page-context.js'
import { findChanges } from './page-snapshot.js'
import { openPageTree } from './page-tree.js'
import type { PageFiles } from '../enrich/format.js'
import { fetchPage } from '../fetch/fetch.js'
import { planFile } from './plan-further.js'

/** Inputs of the formats beside the fetched page. */
interface EnrichSources {
  readonly digest: Digest
  /** The snapshot that the page was compared with. */
  readonly previous: LoadedSnapshot | undefined
  readonly model: PageModel | undefined
  /** Results of the steps of features; absent where none has found anything. */
  readonly results?: FeatureResults
  /** False if no request may be sent for the page, as with `lockdown`. */
  readonly mayFetch: boolean
}

const NO_EXTRAS: Extras = { fields: {}, warnings: [], work: new Set() }

/** Makes the formats that need a model, a snapshot or another download. @throws TrawlError errors of the formats */
export async function enrichPage(
  context: PageContext,
  fetched: FetchedPage,
  { digest, previous, model, results, mayFetch }: EnrichSources,
): Promise<Extras> {
  const { plan, tools, deadline } = context
  if (plan.enrich.formats.length === 0 && !fetched.actions) return NO_EXTRAS
  return await enrich(fetched, plan.enrich, tools.features, {
    inputs: digest.material,
    // A model is no part of this machine.
    model: plan.cache.lockdown === true ? undefined : model,
    files: openPageFiles(context, fetched, mayFetch),
    tree: openPageTree(context, fetched),
    lists: digest,
    resultOf: (feature) => results?.get(feature),
    publish: (file) => publishMedia(file, tools.media, deadline.signal),
    changes: findChanges(previous, digest),
  })
}

/**
 * Opens the access to further files of one page.
 *
 * @param mayFetch false if no request may be sent for the page, as with `lockdown`
 */
const openPageFiles = (context: PageContext, fetched: FetchedPage, mayFetch: boolean): PageFiles => ({
  signal: context.deadline.signal,
  maxBytes: context.tools.maxFileBytes,
  download: mayFetch ? (url, headers = {}) => download(context, fetched, url, headers) : undefined,
})

/** Downloads a file of a page by HTTP: see {@link planFile}. */
async function download(
  { request, plan, tools, deadline }: PageContext,
  fetched: FetchedPage,
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<FetchedPage> {
  const { url, fetch } = planFile(plan.fetch, { url: address, pageUrl: fetched.url, askedUrl: request.url, headers })
  const clock = request.clock && { clock: request.clock }
  return await fetchPage({ url, sourceURL: url, ...clock }, fetch, tools.fetchers, deadline.signal)
}
