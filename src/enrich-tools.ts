import type { Digest } from './digest/digest.js'
import type { EnrichTools, PageMedia, PageModel, PageTree } from './enrich/format.js'
import type { MediaSink } from './media/media.js'
import { publishMedia } from './media/publish-media.js'
import type { SnapshotFinding } from './snapshot/recall-snapshot.js'

/** What the formats of one page may use. */
export const enrichTools = (
  { media: sink }: { readonly media: MediaSink | undefined },
  before: SnapshotFinding | undefined,
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
  changes: before && {
    ...(before.snapshot && { previousAtMs: before.snapshot.takenAtMs }),
    ...(tracked?.isChanged !== undefined && { isChanged: tracked.isChanged }),
    ...(tracked?.diff && { diff: tracked.diff }),
    ...(tracked?.texts && { texts: tracked.texts }),
    ...(before.warning !== undefined && { warning: before.warning }),
  },
})
