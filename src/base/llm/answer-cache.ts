import type { ModelAnswer } from './llm.js'

/** An LRU cache of answers in memory. */
export class AnswerCache {
  readonly #maxBytes: number
  readonly #answers = new Map<string, ModelAnswer>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): ModelAnswer | undefined {
    const answer = this.#answers.get(key)
    if (!answer) return undefined
    this.#answers.delete(key)
    this.#answers.set(key, answer)
    return answer
  }

  set(key: string, answer: ModelAnswer): void {
    this.#remove(key)
    if (sizeOf(answer) > this.#maxBytes) return
    this.#answers.set(key, answer)
    this.#bytes += sizeOf(answer)
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    const answer = this.#answers.get(key)
    if (!answer) return
    this.#answers.delete(key)
    this.#bytes -= sizeOf(answer)
  }
}

/** Approximate memory of an entry: two bytes per character, and 300 bytes of overhead. */
const sizeOf = ({ text }: ModelAnswer): number => 2 * text.length + 300
