import { randomUUID } from 'node:crypto'
import type { Selectors } from 'playwright'
import { pageFunction } from '../../injected/page-functions.js'

/** Name of the selector engine of `createAnnouncer`. Random: other copies of this library may use the same Playwright. */
export const ANNOUNCER = `announcer_${randomUUID()}`

let registering: Promise<void> | undefined

/** Adds the selector engine {@link ANNOUNCER} to Playwright, once. */
export async function registerAnnouncer(selectors: Selectors): Promise<void> {
  await (registering ??= selectors.register(ANNOUNCER, pageFunction('createAnnouncer'), { contentScript: true }))
}
