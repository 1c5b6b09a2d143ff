import { expect, it } from 'vitest'
import { CommandAnswers } from '../../../src/features/machines/shared/command-answers.js'
import type { SharedDatabase } from '../../../src/features/machines/shared/shared-database.js'
import type { JobCommand } from '../../../src/kernel/ledger/shared-jobs.js'

it('carries out a command after those that were given before, and takes it at once', async () => {
  const statements: string[] = []
  const database: Pick<SharedDatabase, 'run' | 'notify'> = {
    notify: () => undefined,
    async run(text, [id]) {
      statements.push(`${text.includes('SET outcome') ? 'answers' : 'takes'} ${typeof id === 'string' ? id : ''}`)
      return [{ id }]
    },
  }
  const begun: string[] = []
  let append = (): void => undefined
  const job = {
    isRunning: true,
    left: undefined,
    followReaders: () => undefined,
    async perform({ name }: JobCommand) {
      begun.push(name)
      if (name === 'append') await new Promise<void>((resolve) => (append = resolve))
    },
  }
  const answers = new CommandAnswers(database as SharedDatabase)
  const first = { id: 'a', command: { name: 'append' as const, urls: [] }, begun: null }
  const second = { id: 'b', command: { name: 'cancel' as const }, begun: null }
  answers.answer('job', job, 1, [first])
  await expect.poll(() => begun).toEqual(['append'])
  // The next poll finds both.
  answers.answer('job', job, 1, [first, second])
  expect(answers.underWay).toEqual(['a', 'b'])
  await expect.poll(() => statements).toEqual(['takes a', 'takes b'])
  await new Promise(setImmediate)
  expect(begun).toEqual(['append'])
  append()
  await expect.poll(() => statements).toEqual(['takes a', 'takes b', 'answers a', 'answers b'])
  expect(begun).toEqual(['append', 'cancel'])
  expect(answers.underWay).toEqual([])
})
