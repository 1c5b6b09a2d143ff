import { randomUUID } from 'node:crypto'
import type { ElementHandle } from 'playwright'
import type { IsolatedWorld } from '../browser-page.js'
import { ANNOUNCER } from '../browser-process/announcer.js'
import { pageFunction } from '../../injected/page-functions.js'

/**
 * Passes an element that Playwright found to the next function in the isolated world that takes one.
 *
 * Playwright's own `evaluate` runs in the world of the page's scripts, which may have replaced what it uses. Its selector
 * engines run in an isolated world, from which an event with a secret name reaches the one of this library.
 */
export async function passElement(element: ElementHandle, world: IsolatedWorld): Promise<void> {
  const name = randomUUID()
  await world.call(pageFunction('expectElement'), name)
  await element.$$(`${ANNOUNCER}=${name}`)
}
