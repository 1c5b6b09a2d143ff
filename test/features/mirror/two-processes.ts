import { expect } from 'vitest'
import { createEngine, type EngineConfig, type MirrorTarget } from '../../../src/index.js'
import { type ChangingSite, openChangingSite } from '../../site/changing-site.js'

/** Lets another engine fill a target between two changes of a first one: as a second process would, for no lock is in memory of both. */
export async function expectOneAtATime(
  on: ChangingSite,
  make: () => MirrorTarget,
  config: () => EngineConfig = () => ({}),
): Promise<void> {
  const { engine, start, pages } = await openChangingSite(on, { '/': ['/a', '/b'] }, {}, config())
  const mirror = engine.mirror({ url: start }, make())
  await mirror.sync()
  pages.set('/a', { links: [], text: 'New.' })
  pages.set('/b', { links: [], text: 'New.' })
  const other = createEngine({ allowPrivateNetworks: true, threads: 0, ...config() })
  let hasBegun = false
  const interrupted: MirrorTarget = {
    ...make(),
    async open(parts) {
      const opened = await make().open(parts)
      const write = opened.write.bind(opened)
      opened.write = async (step) => {
        if (!hasBegun) {
          hasBegun = true
          for (const path of ['/a', '/b']) pages.set(path, { links: [], text: 'Newer.' })
          expect(await other.mirror({ url: start }, make()).sync()).toMatchObject({ changed: 2 })
        }
        return write(step)
      }
      return opened
    },
  }
  await expect(engine.mirror({ url: start }, interrupted).sync()).rejects.toMatchObject({ code: 'JOB_HELD' })
  // What the other one wrote is not overwritten by what this one had read before.
  expect(await mirror.verify()).toMatchObject({ faults: [] })
  await other.close()
  await mirror.sync()
  expect(await mirror.verify()).toMatchObject({ faults: [] })
  expect(await mirror.sync()).toMatchObject({ changed: 0, new: 0, unchanged: 3 })
}
