import { expect, it } from 'vitest'
import { createEngine, mirrorTo, mirrorWith, writePages } from '../../../src/index.js'

const call =
  (make: unknown, ...given: readonly unknown[]) =>
  () =>
    (make as (...given: readonly unknown[]) => unknown)(...given)

it('refuses what is no target, no function and no job at the call, and names it', async () => {
  expect(call(mirrorWith)).toThrow('`mirrorWith(store, options)`: undefined is not a function')
  expect(call(mirrorWith, () => 0)).toThrow('`mirrorWith`: undefined is not an object of the options name, unit')
  expect(call(mirrorWith, () => 0, { name: '' })).toThrow('`mirrorWith({ name })`: "" is not a name')
  expect(call(mirrorWith, () => 0, { name: 'a', unit: 'row' })).toThrow('"row" is not one of page, chunk')
  await expect(call(writePages, 5, 'folder')()).rejects.toThrow('5 is not a job')
  await expect(call(writePages, [])()).rejects.toThrow('undefined is not the path of a folder')
  expect(call(mirrorTo, 'a/.trawl-mirror/parts')).toThrow('is not the path of a folder, not in a folder .trawl-mirror')
  await expect(call(writePages, [], '.trawl-mirror')()).rejects.toThrow('not in a folder .trawl-mirror')
  await using engine = createEngine()
  expect(call(engine.mirror)).toThrow('`engine.mirror(request, target)`: undefined is not an object with `url`')
  expect(call(engine.mirror, { url: 'https://example.com/' }, 'docs')).toThrow(
    '"docs" is not a target, such as `mirrorTo(folder)`',
  )
  expect(call(engine.mirror, { url: 'https://example.com/' }, mirrorTo('docs'))).not.toThrow()
  const mirror = (options: unknown) => call(engine.mirror, { url: 'https://example.com/' }, mirrorTo('docs'), options)
  expect(mirror({ maxRemove: 1 })).toThrow('`engine.mirror`: unknown option "maxRemove": allowed are maxRemoved')
  expect(mirror({ maxRemoved: 50 })).toThrow('`engine.mirror({ maxRemoved })`: 50 is not a share from 0 to 1')
  const job = engine.batchScrape({ urls: ['https://example.test/'] })
  const { changes, each } = job
  expect(call(changes.bind(job), { unit: 'row' })).toThrow('"row" is not one of page, chunk')
  await expect(call(each.bind(job), 'store')()).rejects.toThrow('`job.each(store)`: "store" is not a function')
  await expect(call(each.bind(job), () => 0, { maxRemoved: '1' })()).rejects.toThrow('is not a share from 0 to 1')
})
