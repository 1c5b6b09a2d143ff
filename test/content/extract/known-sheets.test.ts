import { expect, it } from 'vitest'
import { rulesOfSheet } from '../../../src/content/extract/styles/known-sheets.js'

it('the sheets of a page are remembered once they are seen twice, but not where nothing may be kept', () => {
  const sheet = { css: '.known-sheets-test{display:none}', media: undefined }
  const facts = { isQuirky: false, keepsNothing: true }
  expect(rulesOfSheet(sheet, 0, facts)).not.toBe(rulesOfSheet(sheet, 0, facts))
  const keeping = { ...facts, keepsNothing: false }
  const first = rulesOfSheet(sheet, 0, keeping)
  const second = rulesOfSheet(sheet, 0, keeping)
  expect(second).not.toBe(first)
  expect(rulesOfSheet(sheet, 0, keeping)).toBe(second)
  expect(rulesOfSheet(sheet, 0, facts)).not.toBe(second)
  expect(rulesOfSheet(sheet, 0, { ...keeping, isQuirky: true })).not.toBe(second)
})
