import { listEngineSettings } from '../../options/flag-options.js'
import { type Flag, toFlagName } from './flag.js'
import { appendDefault } from './append-default.js'

/** Flags of the engine, the same for every command. */
export const engineFlags = (): Flag[] =>
  listEngineSettings().map(({ name, within, flag = toFlagName(name), valueType, help, default: value }) => ({
    name: flag,
    target: 'engine',
    path: within === undefined ? [name] : [within, name],
    valueType,
    description: appendDefault(help, value),
    section: 'The engine',
  }))
