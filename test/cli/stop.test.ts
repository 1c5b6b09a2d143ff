import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSite, type Site } from '../site/site.js'
import { makeFolder, readLines, startCli } from './start-cli.js'

let site: Site
beforeEach(async () => {
  site = await startSite({
    pages: {
      '/': `<main><h1>Start</h1><a href="/one">one</a> <a href="/slow-body">slow</a></main>`,
      '/one': '<main><h1>One</h1></main>',
      // More than the capacity of a pipe.
      '/large': `<main><p>${'word '.repeat(200_000)}</p></main>`,
    },
  })
})
afterEach(() => site.close())

/** Resolves when all of these paths were requested from the site. */
async function askedFor(...paths: string[]): Promise<void> {
  while (!paths.every((path) => site.requests.some((request) => request.path === path))) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s in the middle of a slow body keeps what was scraped, says so and ends with %d',
    async (signal, code) => {
      await using folder = await makeFolder()
      const { child, ended } = startCli(['crawl', site.url('/'), '--timeout', '300000', '--output', folder.in('out')])
      await askedFor('/slow-body', '/one')
      const one = folder.in('out', `127.0.0.1_${site.port}`, 'one.md')
      while (!(await readFile(one, 'utf8').catch(() => undefined)))
        await new Promise((resolve) => setTimeout(resolve, 20))
      child.kill(signal)
      const { stderr, ...rest } = await ended
      expect(rest).toEqual({ stdout: '', code })
      expect(stderr).toContain('Crawl cancelled: 2 pages')
      expect(stderr).toContain('Cancelled: 1 page in progress')
      expect(stderr).toContain('With --database FILE, a job that is stopped is kept')
      expect(stderr.match(/2 pages written/g)).toHaveLength(1)
      expect(stderr).toContain(`2 pages written to ${folder.in('out')}/`)
      expect(readLines(await readFile(folder.in('out', 'index.ndjson'), 'utf8'))).toHaveLength(2)
      expect((await readdir(folder.in('out'), { recursive: true })).filter((name) => /partial/.test(name))).toEqual([])
    },
  )

  it('ends the scrape of a single page', async () => {
    const { child, ended } = startCli(['scrape', site.url('/slow-body')])
    await askedFor('/slow-body')
    child.kill('SIGINT')
    expect(await ended).toEqual({ stdout: '', stderr: 'Interrupted.\n', code: 130 })
  })

  it('ends the wait for standard input', async () => {
    const { child, ended } = startCli(['batch', '-'])
    // More than the capacity of a pipe: consumed when the command reads, which it does once it listens to signals.
    await new Promise((resolve) => child.stdin.write('#'.repeat(1024 * 1024), resolve))
    child.kill('SIGINT')
    expect(await ended).toEqual({ stdout: '', stderr: 'Interrupted.\n', code: 130 })
  })

  it('ends the process despite a reader that has stalled, and counts the pages that it got', async () => {
    const { child, ended, said } = startCli(['crawl', site.url('/large')], { read: false })
    await once(child.stdout, 'readable')
    child.kill('SIGINT')
    await said('Stopping')
    const { code, stderr } = await ended
    expect(stderr).toMatch(/Not waiting any longer\. 0 pages written to standard output/)
    expect(code).toBe(130)
  })
})
