import type { KeyedTurns } from '../../../base/concurrency/keyed-turns.js'

/** Waits for a turn of this process. @returns a function that ends it */
export function lockTurn(turns: KeyedTurns, name: string): Promise<() => Promise<void>> {
  return new Promise((resolve) => {
    void turns.run(name, () => new Promise<void>((end) => resolve(async () => end())))
  })
}
