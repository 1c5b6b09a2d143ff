import type { Digest } from '../digest/digest.js'
import type { EnrichTools, PageMedia, PageModel, PageTree } from '../enrich/format.js'
import type { MediaSink } from '../media/media.js'
import { publishMedia } from '../media/publish-media.js'
import type { LoadedSnapshot } from '../snapshot/load-snapshot.js'

/** What the formats of one page may use. */
export const enrichTools = (
  { media: sink }: { readonly media: MediaSink | undefined },
  before: LoadedSnapshot | undefined,
  { tracked, material }: Digest,
  model: PageModel | undefined,
  media: PageMedia,
  tree: PageTree,
): EnrichTools => ({
  material,
  model,
  media,
  tree,
  publish: (file) => publishMedia(file, sink, media.signal),
  changes: before && findChanges(before, tracked),
})

const UNTRACKED = 'The page took too long to be read whole, so that it was not compared with its last snapshot.'

function findChanges({ snapshot, warning }: LoadedSnapshot, tracked: Digest['tracked']): EnrichTools['changes'] {
  const why = warning ?? (tracked ? undefined : UNTRACKED)
  return {
    ...(snapshot && { previousAtMs: snapshot.takenAtMs }),
    ...(tracked?.isChanged !== undefined && { isChanged: tracked.isChanged }),
    ...(tracked?.diff && { diff: tracked.diff }),
    ...(tracked?.texts && { texts: tracked.texts }),
    ...(why !== undefined && { warning: why }),
  }
}
