import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHere } from '../../cli/run-here.js'
import { answers, startReceiver, type Receiver } from '../../site/receiver.js'
import { startSite, type Site } from '../../site/site.js'

const text = `<!doctype html><title>Page</title><main><h1>Page</h1><p>${'Words. '.repeat(200)}</p></main>`

let site: Site
let receiver: Receiver
let folder: string
beforeAll(async () => {
  site = await startSite({ pages: { '/': `${text}<a href="/a">a</a>`, '/a': text } })
  receiver = await startReceiver()
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
})
afterAll(() => Promise.all([site.close(), receiver.close(), rm(folder, { recursive: true })]))

const crawl = (...flags: string[]) => runHere(['crawl', site.url('/'), '--webhook', receiver.url, ...flags])

describe('--webhook of a command', () => {
  it('is said to have lost reports, which --strict makes a failure', async () => {
    receiver.answer = answers.status(503)
    const { code, stderr } = await crawl('--strict')
    expect(stderr).toMatch(/4 reports have not reached the webhook \(.*503.*\): they are lost with this process/)
    expect(code).toBe(3)
    const record = await crawl('--json')
    expect(record.code).toBe(0)
    expect(record.stderr).toContain('"lostReports":4')
  })

  it('names who sends them of a database', async () => {
    receiver.answer = answers.status(503)
    const { stderr } = await crawl('--database', join(folder, 'jobs.db'))
    expect(stderr).toMatch(/4 reports have not reached .*: the database keeps them/)
  })

  it('is not mentioned where all arrived', async () => {
    receiver.answer = answers.ok
    const { code, stderr } = await crawl('--strict')
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('webhook')])
  })
})
