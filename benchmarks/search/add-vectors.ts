import { index as openIndex } from 'trawl'

/** Numbers of a vector. */
export const DIMENSIONS = 384

/** Returns the pseudo-random sign of a number of a word's vector. */
function signOf(hash: number, at: number): number {
  let mixed = Math.imul(hash ^ Math.imul(at + 1, 0x9e3779b1), 0x85ebca6b)
  mixed ^= mixed >>> 13
  return Math.imul(mixed, 0xc2b2ae35) < 0 ? -1 : 1
}

/** Embeds a text by its words, each with a pseudo-random vector: it stands for a model, and knows no meanings. */
export function embedText(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  const counts = new Map<string, number>()
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const [word, count] of counts) {
    let hash = 0x811c9dc5
    for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
    const weight = Math.log(1 + count)
    for (let at = 0; at < DIMENSIONS; at += 1) vector[at] = (vector[at] ?? 0) + weight * signOf(hash, at)
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

/** Searches by words and vectors. @returns the times, without that of embedding the query. Milliseconds */
export interface VectorSearch {
  search(query: string): Promise<number>
  close(): Promise<void>
}

/** Gives the chunks of jobs in an index file their vectors. */
export async function addVectors(file: string, jobIds: readonly string[]): Promise<VectorSearch> {
  const index = openIndex(file)
  const { vectors } = index
  if (!vectors) throw new Error('the index has no vectors')
  const { number: space } = await vectors.open(embedText('a sample'))
  for (const jobId of jobIds) {
    for (let after = 0, isLast = false; !isLast;) {
      const turn = await vectors.listMissing(jobId, after)
      await vectors.put(
        space,
        turn.chunks.map(({ chunk, text }) => ({ chunk, vector: embedText(text) })),
      )
      ;({ after, isLast } = turn)
    }
  }
  return {
    async search(query) {
      const vector = { space, numbers: embedText(query) }
      const began = performance.now()
      await index.search({ query, limit: 10, filter: {}, nowMs: Date.now(), vector })
      return performance.now() - began
    },
    close: () => index.close(),
  }
}
