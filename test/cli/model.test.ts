import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '../site/model-server.js'
import { startSite, type Site } from '../site/site.js'
import { readLines, runCli } from './start-cli.js'

let site: Site
let server: ModelServer
beforeAll(async () => {
  const page = '<title>A page</title><main><h1>Hello</h1><p>Some text.</p><a href="/a">a</a><a href="/b">b</a></main>'
  site = await startSite({ pages: { '/': page, '/a': page, '/b': page } })
  server = await startModelServer(({ system }) => ({
    says: system.includes('crawler') ? { includePaths: ['^/a'] } : 'A page that says hello.',
  }))
})
afterAll(async () => {
  await site.close()
  await server[Symbol.asyncDispose]()
})

describe('the model flags', () => {
  it('select a model, whose API key is read from the environment', async () => {
    const args = ['scrape', site.url('/'), '--formats', 'summary', '--model-url', server.baseUrl, '--model', 'tiny']
    const { code, stdout, stderr } = await runCli(args, { env: { TRAWL_MODEL_KEY: 'sk-from-env' } })
    expect([code, stderr]).toEqual([0, ''])
    expect(readLines(stdout)).toMatchObject([{ summary: 'A page that says hello.' }])
    expect(server.calls.at(-1)?.headers['authorization']).toBe('Bearer sk-from-env')
    expect(server.calls.at(-1)?.body['model']).toBe('tiny')
  })

  it('allow a crawl with a prompt', async () => {
    const args = [
      'crawl',
      site.url('/'),
      '--prompt',
      'only a',
      '--model-url',
      server.baseUrl,
      '--model',
      'tiny',
      '--quiet',
    ]
    const { code, stdout } = await runCli(args)
    expect(code).toBe(0)
    expect(readLines(stdout)).toMatchObject([{ metadata: { url: site.url('/a') } }])
  })

  it('are both required', async () => {
    const without = await runCli(['crawl', site.url('/'), '--prompt', 'only a'])
    expect(without.code).toBe(2)
    expect(without.stderr).toContain('--prompt: --prompt needs a language model: give --model-url and --model')
    const summary = await runCli(['scrape', site.url('/'), '--formats', 'summary'])
    expect(summary.stderr).toContain('give --model-url and --model')
    const half = await runCli(['scrape', site.url('/'), '--model', 'tiny'])
    expect([half.code, half.stderr]).toEqual([2, expect.stringContaining('--model needs --model-url')])
    const wrong = await runCli(['scrape', site.url('/'), '--model', 'tiny', '--model-url', 'nowhere'])
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--model-url: a text that is no URL is not an http or https URL'),
    ])
  })
})
