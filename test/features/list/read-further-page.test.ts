import { expect, test } from 'vitest'
import { TrawlError } from '../../../src/base/errors.js'
import { withinTime } from '../../../src/features/list/whole/read-further-page.js'

const deadline = () => {
  const page = new AbortController()
  return { page, context: { deadline: { signal: page.signal } } as Parameters<typeof withinTime>[0] }
}

test('an error while a list is read further is told as it is, and not as a `timeout`', async () => {
  const failure = Promise.reject(new TrawlError('UNKNOWN_ERROR', 'a thread has ended'))
  const why = await withinTime(deadline().context, new AbortController().signal, failure)
  expect(why).toBe('The list could not be read further: a thread has ended')
})

test('the end of the time of a list is told as that, and the end of that of the page is thrown', async () => {
  const list = new AbortController()
  const { page, context } = deadline()
  list.abort(new Error('time'))
  const work = () => Promise.reject(new Error('aborted'))
  expect(await withinTime(context, list.signal, work())).toBe('The `timeout` of the page was nearly up.')
  page.abort(new Error('cancelled'))
  await expect(withinTime(context, list.signal, work())).rejects.toThrow('cancelled')
})
