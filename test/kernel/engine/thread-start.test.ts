import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEngine, InvalidRequestError } from '../../../src/index.js'

let started = 0
const count = (): void => void (started += 1)

beforeEach(() => {
  started = 0
  process.on('worker', count)
})

afterEach(() => void process.off('worker', count))

/** Node tells of a thread in the next tick. */
const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve))

it('starts a thread before the options of the first page are checked, and only one', async () => {
  const engine = createEngine()
  const pages = [engine.scrape('no address'), engine.scrape('no address')]
  await Promise.all([nextTick(), ...pages.map((page) => expect(page).rejects.toThrow(InvalidRequestError))])
  expect(started).toBe(1)
  await engine.close()
})

it('starts none with an engine, for a small page that is parsed, and after the engine was closed', async () => {
  const engine = createEngine()
  await engine.parse({ url: 'https://example.com', body: '<h1>Small</h1>', contentType: 'text/html' })
  await engine.close()
  await expect(engine.scrape('https://example.com')).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  expect(started).toBe(0)
})
