import { createJudge } from '../../../src/features/archive/archive-filters.js'
import { readArchive } from '../../../src/features/archive/read/read-archive.js'

const options = {
  judge: createJudge(),
  wireBytes: 1e6,
  bodyBytes: 1e6,
  signal: new AbortController().signal,
}

/** Reads the entries of an archive, as texts. */
export async function describeEntries(
  source: string | AsyncIterable<Uint8Array> | readonly string[],
  scheme: 'http' | 'https' = 'https',
): Promise<string[]> {
  const seen: string[] = []
  for await (const entry of readArchive([source].flat(), { ...options, scheme })) {
    if ('broken' in entry) seen.push(`broken: ${entry.broken}`)
    else if ('skipped' in entry) seen.push(`skipped: ${entry.skipped}`)
    else {
      const { url, statusCode, body, problems } = entry
      const wrong = problems.length > 0 ? ` ! ${problems.join(', ')}` : ''
      seen.push(`${url} ${statusCode} ${Buffer.from(body).toString()}${wrong}`)
    }
  }
  return seen
}

/** Returns bytes as a stream of pieces. */
export async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
