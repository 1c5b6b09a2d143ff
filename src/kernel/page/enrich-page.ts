import type { Digest } from '../../content/digest/digest.js'
import { enrich, type Extras } from '../enrich/enrich.js'
import type { PageModel } from '../../base/llm/page-model.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { publishMedia } from '../../base/media/publish-media.js'
import type { LoadedSnapshot } from '../snapshot/load-snapshot.js'
import type { FeatureResults } from './feature-steps.js'
import type { PageContext } from './page-context.js'
import { openPageFiles } from './page-files.js'
import { findChanges } from './page-snapshot.js'
import { openPageTree } from './page-tree.js'

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

/** Makes the formats that need a model, a snapshot or another download. @throws TrawlError errors of the formats */
export function enrichPage(
  context: PageContext,
  fetched: FetchedPage,
  { digest, previous, model, results, mayFetch }: EnrichSources,
): Promise<Extras> {
  const { plan, tools, deadline } = context
  return enrich(fetched, plan.enrich, tools.features, {
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
