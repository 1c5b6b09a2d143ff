import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readDeclarations } from '../../../build/docs/declarations.js'
import { browserDefinitions } from '../../../src/features/browser/browser-config.js'

const folder = new URL('../../../src/features/browser', import.meta.url).pathname

it('a setting of the browser has the default that its doc comment states', () => {
  const declarations = readDeclarations(new URL('../../../src', import.meta.url).pathname)
  const declaration = declarations.find('BrowserOptions')
  const members = declaration && declarations.membersOf(declaration)
  const { default: defaults } = browserDefinitions.browser
  expect(defaults).toEqual({ pagesPerBrowser: 100 })
  for (const [name, value] of Object.entries(defaults))
    expect(members?.get(name)?.doc.fallback).toMatch(new RegExp(`^${value}(?:$|[\\s,;])`))
})

it.each(['timeZone', 'maxRows'])('the field `%s` of a plan, which the kernel does not read, is read', (name) => {
  const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((file) => file.endsWith('.ts'))
  const readers = files.filter((file) => readFileSync(join(folder, file), 'utf8').includes(name))
  expect(readers).not.toEqual([])
})
