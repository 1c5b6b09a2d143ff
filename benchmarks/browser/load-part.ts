/** How a page is known to be there: `load` by its event, `text` by its last element, `idle` by half a second without requests. */
export type Until = 'load' | 'text' | 'idle'

/** Some pages to be loaded by a process that has loaded others before. */
export interface Part {
  readonly urls: readonly string[]
  /** For the bare loop, which has no other way to know. */
  readonly until: Until
}

/** What came of a part. */
export interface Loaded {
  readonly seconds: number
  /** Pages whose last element came. */
  readonly whole: number
}

/** What a process may be told: to load a part, or to close what it has open and say so. */
export type Order = Part | 'close'

/** Lets this process load parts as it is told to. @param load says of how many pages the text came whole */
export function takeOrders(load: (part: Part) => Promise<number>, close: () => Promise<void>): void {
  process.on('message', (order: Order) => {
    const answer = async (): Promise<Loaded> => {
      if (order === 'close') return await close().then(() => ({ seconds: 0, whole: 0 }))
      // One of each place, so that a browser that has to be started is not counted.
      await load({ ...order, urls: order.urls.slice(0, 4) })
      const startedAt = performance.now()
      const whole = await load(order)
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

/** What the last element of a page says. */
export const endOf = (url: string): string => `This was page ${url.split('/').pop()}.`
