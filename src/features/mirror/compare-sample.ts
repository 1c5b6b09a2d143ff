import type { Document } from '../../kernel/page/document.js'
import type { MirrorEntry } from './mirror-record.js'
import type { MirrorFault } from './mirror-target.js'
import { digestPage } from './page-digest.js'

/** Reads some pages again, chosen at random, and compares them with what the mirror has acknowledged. @throws the reason of the signal */
export async function compareSample(
  entries: readonly MirrorEntry[],
  size: number,
  read: (url: string) => Promise<Document>,
  signal?: AbortSignal,
): Promise<{ fetched: number; faults: MirrorFault[] }> {
  const faults: MirrorFault[] = []
  const sample = takeSample(entries, size)
  for (const { key, digest } of sample) {
    const message = await read(key).then(
      (page) => describeDifference(page, digest),
      (error: unknown) => `it cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
    signal?.throwIfAborted()
    if (message !== undefined) faults.push({ key, kind: 'stale', message })
  }
  return { fetched: sample.length, faults }
}

function describeDifference(page: Document, digest: string): string | undefined {
  const { statusCode } = page.metadata
  if (statusCode >= 400) return `the site answers ${statusCode}`
  return digestPage(page) === digest ? undefined : 'the site has other content'
}

/** Takes items at random, without repetition. */
function takeSample<Item>(items: readonly Item[], size: number): Item[] {
  const left = [...items]
  const taken: Item[] = []
  while (taken.length < size && left.length > 0) taken.push(...left.splice(Math.floor(Math.random() * left.length), 1))
  return taken
}
