import { createEngine, type Engine, replay } from '../index.js'

/** Creates an engine whose pages come from an archive, in the place of the network. @throws TypeError for an empty path */
export const openReplay = (path: string): Engine =>
  createEngine({ fetcher: replay(path), allowPrivateNetworks: true, cache: false, retry: { maxRetries: 0 } })
