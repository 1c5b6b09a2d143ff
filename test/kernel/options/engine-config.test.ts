import { expect, test } from 'vitest'
import { checkEngineConfig } from '../../../src/kernel/options/check.js'
import { NO_FEATURE_OPTIONS } from '../../../src/kernel/options/option-definition.js'
import { issuesOf } from './issues-of.js'

test('the setting `now` must be a function that returns a finite number', () => {
  const issues = (now: unknown) => issuesOf(() => checkEngineConfig({ now }))
  expect(issues(() => Date.now())).toEqual({})
  expect(issues(5)).toEqual({ now: '5 is not a function' })
  for (const now of [() => NaN, () => new Date(0), () => undefined, () => Infinity])
    expect(issues(now)).toEqual({ now: 'does not return a finite number of milliseconds' })
})

test('suggests the name of a misspelt option, whichever are given beside it', () => {
  expect(issuesOf(() => checkEngineConfig({ threads: 1, maxConcurency: 3, ledgr: 1 }))).toEqual({
    '': 'unknown option "maxConcurency", did you mean `maxConcurrency`?; unknown option "ledgr", did you mean `ledger`?',
  })
})

test('names the ledgers of its features where jobs end with the process', () => {
  const message = (names: string) => ({ resume: `the jobs end with the process: give ${names} as \`ledger\`` })
  expect(issuesOf(() => checkEngineConfig({ resume: true }))).toEqual(message('`sqlite(…)`'))
  const more = { ...NO_FEATURE_OPTIONS, ledgers: ['shared'] }
  expect(issuesOf(() => checkEngineConfig({ resume: true }, more))).toEqual(message('`sqlite(…)` or `shared(…)`'))
})
