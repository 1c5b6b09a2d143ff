import type { Command } from './command.js'

/** Variables of the environment. */
type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the variables that secrets of a command may name. Where others send the requests, they are those that its own flags name: a
 * request could have any other one, such as an API key, filled in on a page of its choice.
 *
 * @param options values of its flags
 */
export function variablesFor({ servesOthers }: Command, environment: Environment, options: object): Environment {
  if (servesOthers !== true) return environment
  return Object.fromEntries(listNamed(options).map((name) => [name, environment[name]]))
}

/** Lists the names in `{ env: 'NAME' }`, at any depth. */
const listNamed = (options: object): string[] =>
  Object.entries(options).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'env' && typeof value === 'string') return [value]
    return typeof value === 'object' && value !== null ? listNamed(value) : []
  })
