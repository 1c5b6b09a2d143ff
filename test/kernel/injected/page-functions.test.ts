import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileInjected, target } from '../../../build/injected.mjs'
import { pageFunction } from '../../../src/kernel/injected/page-functions.js'

test('the compiled text of the functions for pages is that of their sources', async () => {
  expect(readFileSync(target, 'utf8'), 'run `npm run build`').toBe(await compileInjected())
})

test('a function for a page has its compiled text, and refuses to run in this process', () => {
  const hasFocus = pageFunction('hasFocus')
  expect(String(hasFocus)).toContain('document')
  expect(() => hasFocus()).toThrow('runs in the browser only')
})
