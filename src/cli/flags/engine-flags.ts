import { builtIn } from '../../features/create-engine.js'
import { listEngineSettings } from './flag-options.js'
import type { Flag } from './flag.js'
import { toFlag } from './to-flag.js'

/** Lists the flags of the engine, the same for every command. */
export const engineFlags = (): Flag[] =>
  listEngineSettings(builtIn.options).map((setting) =>
    toFlag(setting, { target: 'engine', section: 'The engine', within: setting.within }),
  )
