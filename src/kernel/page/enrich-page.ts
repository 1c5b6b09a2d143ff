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
import type { FetchPlan } from '../fetch/fetcher.js'
import { headerScopeOf, isInHeaderScope } from '../../base/http/header-scope.js'
import { withoutCredentials } from '../../base/url.js'

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

/**
 * Downloads a file of a page by HTTP, with the page's options. Headers and credentials are sent to their own host
 * only.
 */
async function download(
  { request, plan, tools, deadline }: PageContext,
  fetched: FetchedPage,
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<FetchedPage> {
  const url = new URL(address)
  const pageUrl = new URL(fetched.url)
  const asked = new URL(request.url)
  const isOwn = isInHeaderScope(url, headerScopeOf(plan.fetch.headerScope, asked))
  const sharesLogin = isInHeaderScope(url, headerScopeOf(undefined, asked))
  if (sharesLogin && url.username === '') Object.assign(url, { username: asked.username, password: asked.password })
  const { validators: _, prefersBrowser: __, headerScope: ___, ...rest } = plan.fetch
  const fetchPlan: FetchPlan = {
    ...rest,
    fetcher: 'http',
    needsBrowser: [],
    // A challenge needs no detection here: its status or its bytes show that it is not the file.
    mayBeBlocked: true,
    // Without a header scope, these headers go to the host of the file only, and not to hosts that it redirects to.
    headers: { accept: '*/*', ...refererFor(url, pageUrl), ...(isOwn ? plan.fetch.headers : {}), ...headers },
  }
  const clock = request.clock && { clock: request.clock }
  return await fetchPage({ url: url.href, sourceURL: url.href, ...clock }, fetchPlan, tools.fetchers, deadline.signal)
}

/**
 * Returns the `Referer` header as browsers send it by default.
 *
 * @see https://www.w3.org/TR/referrer-policy/ strict-origin-when-cross-origin
 */
function refererFor(url: URL, pageUrl: URL): Record<string, string> {
  if (pageUrl.protocol === 'https:' && url.protocol !== 'https:') return {}
  const { origin, pathname, search } = withoutCredentials(pageUrl)
  return { referer: url.origin === origin ? `${origin}${pathname}${search}` : `${origin}/` }
}
