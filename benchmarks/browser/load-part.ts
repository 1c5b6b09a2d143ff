/**
 * Condition for a loaded page: its `load` event, its last element (`text`), or half a second without requests (`idle`).
 */
export type Until = 'load' | 'text' | 'idle'

/** Pages for a process to load and measure, in one round. */
export interface Part {
  readonly urls: readonly string[]
  /** Condition that the plain Playwright loop waits for. trawl waits automatically. */
  readonly until: Until
}

/** Result of loading a part. */
export interface Loaded {
  readonly seconds: number
  /** Number of complete pages, whose last element was loaded. */
  readonly whole: number
}

/** Message to a loading process: a part to load, or the request to close its browser. */
export type PartMessage = Part | 'close'

/**
 * Loads the parts that the parent process sends, and answers each.
 *
 * @param load loads a part; resolves with the number of complete pages
 */
export function answerParts(load: (part: Part) => Promise<number>, close: () => Promise<void>): void {
  process.on('message', (message: PartMessage) => {
    const answer = async (): Promise<Loaded> => {
      if (message === 'close') return await close().then(() => ({ seconds: 0, whole: 0 }))
      // Four pages are loaded first, so that the start of the browser is not measured.
      await load({ ...message, urls: message.urls.slice(0, 4) })
      const startedAt = performance.now()
      const whole = await load(message)
      return { seconds: (performance.now() - startedAt) / 1000, whole }
    }
    answer().then(
      (loaded) => process.send?.(loaded),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => process.exit())
}

/** Returns the text of the last element of a page. */
export const endOf = (url: string): string => `This was page ${url.split('/').pop()}.`
