import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileInjected } from '../../../../build/injected.mjs'
import { pageFunction } from '../../../../src/features/browser/injected/page-functions.js'

test('the compiled text of the functions for pages is that of their sources', async () => {
  for (const [file, json] of Object.entries(await compileInjected()))
    expect(readFileSync(file, 'utf8'), `${file}: run \`npm run build\``).toBe(json)
})

test('a function for a page has its compiled text, and refuses to run in this process', () => {
  const hasFocus = pageFunction('hasFocus')
  expect(String(hasFocus)).toContain('document')
  expect(() => hasFocus()).toThrow('runs in the browser only')
})
