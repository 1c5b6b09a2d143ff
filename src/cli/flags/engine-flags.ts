import { listEngineSettings } from '../../options/option-shapes.js'
import { type Flag, toFlagName } from './flag.js'
import { writeDefault } from './write-default.js'

/** Flags of the engine, the same for every command. */
export const engineFlags = (): Flag[] =>
  listEngineSettings().map(({ name, within, flag = toFlagName(name), shape, help, default: value }) => ({
    name: flag,
    target: 'engine',
    path: within === undefined ? [name] : [within, name],
    shape,
    meaning: writeDefault(help, value),
    section: 'The engine',
  }))
