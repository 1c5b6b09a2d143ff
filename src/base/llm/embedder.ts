import { Semaphore } from '../concurrency/semaphore.js'
import { channels } from '../tracing/channels.js'
import { callWithin, retryModelCall } from './call-model.js'
import { ModelError } from './llm.js'
import type { ModelSettings } from './model-client.js'
import { traceModelCall } from './trace-model-call.js'

/** The use of texts that are embedded, for models that treat them differently. */
export interface EmbedContext {
  /** `query`: what someone looks for. `passage`: a part of a page. */
  readonly purpose: 'query' | 'passage'
  /** Aborts when the vectors are no longer needed. */
  readonly signal: AbortSignal
}

/**
 * Turns texts into vectors (embeddings): one for each text, all of the same length. Texts of similar meaning have vectors of a
 * similar direction; lengths of vectors are ignored. It is called with at most 64 texts.
 *
 * The engine adds retries, time limits and a limit of concurrent calls, from `modelOptions`. It retries errors with a
 * `statusCode` (or `status`) of 408, 409, 425, 429 or at least 500, after `retryAfterMs` if given, unless that is
 * more than a minute.
 *
 * @example
 * const embed: Embed = (texts, { purpose }) => model.encode(texts.map((text) => `${purpose}: ${text}`))
 */
export type Embed = (texts: string[], context: EmbedContext) => Promise<readonly ArrayLike<number>[]>

/** Maximum texts of one call of `embed`. */
export const MAX_EMBED_TEXTS = 64
/** Maximum length of a vector. */
const MAX_DIMENSIONS = 16_384

/** Access of an engine to its function `embed`. */
export interface Embedder {
  /**
   * Embeds texts, in batches.
   *
   * @returns a vector of length 1 for each text; of length 0 for one that has no direction
   * @throws ModelError when `embed` fails, or does not give a vector for each text; the reason of the signal
   */
  embed(texts: readonly string[], context: EmbedContext): Promise<readonly Float32Array<ArrayBuffer>[]>
}

class EngineEmbedder implements Embedder {
  readonly #embed: Embed
  readonly #settings: ModelSettings
  readonly #calls: Semaphore
  /** Length of the vectors, from the first call on. */
  #dimensions: number | undefined

  constructor(embed: Embed, settings: ModelSettings) {
    this.#embed = embed
    this.#settings = settings
    this.#calls = new Semaphore(settings.maxConcurrency)
  }

  async embed(texts: readonly string[], context: EmbedContext): Promise<readonly Float32Array<ArrayBuffer>[]> {
    const batches: string[][] = []
    for (let at = 0; at < texts.length; at += MAX_EMBED_TEXTS) batches.push(texts.slice(at, at + MAX_EMBED_TEXTS))
    return (await Promise.all(batches.map((batch) => this.#embedBatch(batch, context)))).flat()
  }

  async #embedBatch(texts: string[], context: EmbedContext): Promise<Float32Array<ArrayBuffer>[]> {
    const { purpose, signal } = context
    await this.#calls.acquire(signal)
    try {
      return await retryModelCall(() => this.#callInSpan(texts, purpose, signal), this.#settings, signal)
    } finally {
      this.#calls.release()
    }
  }

  /** Calls the function once, as a span where there are subscribers. */
  #callInSpan(
    texts: string[],
    purpose: EmbedContext['purpose'],
    signal: AbortSignal,
  ): Promise<Float32Array<ArrayBuffer>[]> {
    const call = () => this.#call(texts, purpose, signal)
    if (!channels.model.hasSubscribers) return call()
    return traceModelCall({ operation: 'embeddings', texts: texts.length }, call)
  }

  async #call(
    texts: string[],
    purpose: EmbedContext['purpose'],
    signal: AbortSignal,
  ): Promise<Float32Array<ArrayBuffer>[]> {
    const embed = this.#embed
    const { timeoutMs } = this.#settings
    // A copy: the function may change it, and it may be called again.
    const call = (until: AbortSignal) => embed([...texts], { purpose, signal: until })
    const vectors: unknown = await callWithin(call, { name: '`embed`', timeoutMs, signal })
    if (!Array.isArray(vectors) || vectors.length !== texts.length) {
      const seen = Array.isArray(vectors) ? `${vectors.length} vectors` : `a value of type ${typeof vectors}`
      throw new ModelError(
        `\`embed\` gave ${seen} for ${texts.length} texts: it must give a list of one vector for each`,
      )
    }
    return vectors.map((vector: unknown) => this.#read(vector))
  }

  #read(vector: unknown): Float32Array<ArrayBuffer> {
    const { length }: { length?: unknown } = Object(vector)
    const isList = Array.isArray(vector) || ArrayBuffer.isView(vector)
    if (!isList || typeof length !== 'number' || length === 0 || length > MAX_DIMENSIONS) {
      const seen = isList ? `a vector of ${String(length)} numbers` : `a vector of type ${typeof vector}`
      throw new ModelError(`\`embed\` gave ${seen}: it must be a list of 1 to ${MAX_DIMENSIONS} numbers`)
    }
    this.#dimensions ??= length
    if (length !== this.#dimensions)
      throw new ModelError(
        `\`embed\` gave vectors of ${this.#dimensions} and of ${length} numbers: all must be of one length`,
      )
    return toUnitVector(Float64Array.from(vector as unknown as ArrayLike<number>))
  }
}

/** Scales a vector to length 1, so that the cosine of two vectors is their product. @throws ModelError for a number that is not finite */
function toUnitVector(vector: Float64Array): Float32Array<ArrayBuffer> {
  let squares = 0
  for (const value of vector) squares += value * value
  if (!Number.isFinite(squares)) throw new ModelError('`embed` gave a vector with a value that is not a finite number')
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares)
  return Float32Array.from(vector, (value) => value * scale)
}

/** Creates the access of an engine to its function `embed`. */
export const createEmbedder = (embed: Embed, settings: ModelSettings): Embedder => new EngineEmbedder(embed, settings)
