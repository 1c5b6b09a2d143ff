import { wordsIn } from '../../../base/text/words-in.js'

/** The phrases of three words in a text. */
export class Phrases {
  readonly #words: ReadonlySet<string>
  readonly #phrases = new Set<string>()

  /** @param minWords minimum length of the text, in words. A shorter one has no phrases */
  constructor(text: string, minWords: number) {
    const words = wordsIn(text)
    this.#words = new Set(words.length < minWords ? [] : words)
    if (words.length < minWords) return
    for (let at = 0; at + 3 <= words.length; at += 1)
      this.#phrases.add(`${words[at]} ${words[at + 1]} ${words[at + 2]}`)
  }

  get size(): number {
    return this.#phrases.size
  }

  /** Returns the share of the phrases of `words` that the text has; -1 for fewer than three words. */
  shareOf(words: readonly string[]): number {
    if (words.length < 3) return -1
    if (this.size === 0) return 0
    let found = 0
    // Number of words in succession that the text has. Only three of them may be a phrase, which takes longer to find.
    let known = 0
    for (const [at, word] of words.entries()) {
      known = this.#words.has(word) ? known + 1 : 0
      if (known >= 3 && this.#phrases.has(`${words[at - 2]} ${words[at - 1]} ${word}`)) found += 1
    }
    return found / (words.length - 2)
  }
}
