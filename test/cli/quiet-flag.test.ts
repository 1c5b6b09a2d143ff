import { expect, it } from 'vitest'
import * as commands from '../../src/cli/commands/index.js'
import { flagsOf } from '../../src/cli/run-command-line.js'

/** Commands whose whole output is a text about the program, or a protocol. */
const OTHERS = ['completion', 'man', 'mcp']

it('every command that reports something takes -q', () => {
  const without = Object.values(commands).filter((command) => !flagsOf(command).some(({ short }) => short === 'q'))
  expect(without.map(({ name }) => name).toSorted()).toEqual(OTHERS)
})
