import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineConfig, sqlite } from '../../../src/index.js'
import { type Exchange, htmlPage, sendPage } from '../../site/exchange.js'
import type { Action } from '../../../src/kernel/fetch/action-options.js'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()
const SECRET = 'open-sesame-17'
const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, env: { SITE_PASSWORD: SECRET } }

const fields =
  '<input name="user"><input name="pass" type="password"><textarea name="note"></textarea><button name="go" value="1">Go</button>'

/** Answers with what was sent, but for the password. */
const answer = async (exchange: Exchange): Promise<void> => {
  let body = ''
  for await (const part of exchange.request) body += String(part)
  const sent = new URLSearchParams(body)
  const isRight = sent.get('pass') === SECRET
  sendPage(
    exchange,
    htmlPage(isRight ? 'Inside' : 'Outside', `<p>${sent.get('user')} ${sent.get('note')} ${sent.get('go')}</p>`),
  )
}

const pages = {
  '/': htmlPage(
    'Form',
    `<form action="/search"><input name="q"></form><form method="post" action="/in">${fields}</form>`,
  ),
  '/bare': htmlPage(
    'Bare',
    `<input id="pass" type="password" onkeydown="if (event.key === 'Enter') document.querySelector('h1').textContent = 'Length ' + this.value.length">`,
  ),
  '/off': htmlPage('Off', '<form><input name="user"><button disabled>Go</button></form>'),
  '/in': answer,
}

const login = (secret: Extract<Action, { type: 'fill' }>['secret']): Action[] => [
  { type: 'fill', selector: '[name=user]', text: 'anna' },
  { type: 'fill', selector: '[name=note]', text: 'two\nlines' },
  { type: 'fill', selector: '[name=pass]', secret },
  { type: 'submit' },
]

describe('actions `fill` and `submit`', () => {
  it.each([{ env: 'SITE_PASSWORD' }, async () => SECRET])(
    'fill in a form and send it by its button',
    async (secret) => {
      await on.open(pages, config)
      const { markdown, metadata } = await on.engine.scrape(on.site.url('/'), { actions: login(secret) })
      expect(metadata.title).toBe('Inside')
      expect(markdown).toMatch(/anna two\s+lines 1/)
    },
  )

  it('send what no form has by the key Enter, and name a form', async () => {
    await on.open(pages, config)
    const bare = await on.engine.scrape(on.site.url('/bare'), {
      actions: [{ type: 'fill', selector: '#pass', secret: () => SECRET }, { type: 'submit' }],
    })
    expect(bare.markdown).toContain(`Length ${SECRET.length}`)
    const named = await on.engine.scrape(on.site.url('/'), { actions: [{ type: 'submit', selector: '[name=pass]' }] })
    expect(named.metadata.title).toBe('Outside')
    await expect(
      on.engine.scrape(on.site.url('/off'), { actions: [{ type: 'submit', selector: 'form' }] }),
    ).rejects.toThrow('its button is disabled')
  })

  it('take exactly one of `text` and `secret`, and show no secret that is given itself', async () => {
    await on.open(pages, config)
    for (const more of [{}, { text: 'a', secret: () => 'b' }])
      await expect(
        on.engine.scrape(on.site.url('/'), { actions: [{ type: 'fill', selector: 'input', ...more }] }),
      ).rejects.toThrow('exactly one of `text` and `secret`')
    const given = on.engine.scrape(on.site.url('/'), { actions: login(SECRET as never) })
    await expect(given).rejects.toThrow('a secret itself must not be in a request')
    await expect(given).rejects.not.toThrow(SECRET)
  })

  it('leave no secret in an error, a picture, a ledger or a log', async () => {
    await on.open(pages, config)
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    const log: unknown[] = []
    const write = (...args: unknown[]) => void log.push(args)
    {
      await using engine = createEngine({
        ...config,
        ledger: sqlite(join(folder, 'ledger.db')),
        cache: join(folder, 'cache'),
        logger: { trace: write, debug: write, info: write, warn: write, error: write },
      })
      const failing: Action[] = [
        ...login({ env: 'SITE_PASSWORD' }).slice(0, 3),
        { type: 'fill', selector: 'h1', secret: () => SECRET },
      ]
      const error = await engine
        .scrape(on.site.url('/'), { actions: failing, timeout: 15_000 })
        .catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'SCRAPE_ACTION_ERROR', picture: undefined })
      const job = engine.batchScrape({ urls: [on.site.url('/')], actions: login({ env: 'SITE_PASSWORD' }) })
      expect(await job.finished()).toMatchObject({ completed: 1 })
      const thrower = () => Promise.reject(new Error(`no ${SECRET}`))
      const thrown = await engine.scrape(on.site.url('/'), { actions: login(thrower) }).catch((one: unknown) => one)
      expect(inspect([error, thrown, job.request, log], { depth: 20, maxArrayLength: null })).not.toContain(SECRET)
    }
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        expect((await readFile(join(file.parentPath, file.name))).includes(SECRET), file.name).toBe(false)
    await rm(folder, { recursive: true })
  })

  it('let a stored job with `{ env }` be resumed as it is, and one with a function with it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    const file = join(folder, 'ledger.db')
    let isOpen = false
    await on.open(
      { ...pages, '/': (exchange: Exchange) => (isOpen ? sendPage(exchange, pages['/']) : undefined) },
      config,
    )
    for (const secret of [{ env: 'SITE_PASSWORD' }, () => SECRET]) {
      isOpen = false
      const engine = createEngine({ ...config, ledger: sqlite(file) })
      const { id } = engine.batchScrape({ urls: [on.site.url('/')], actions: login(secret) })
      await expect.poll(() => on.site.requests.length).toBeGreaterThan(0)
      await engine.close({ drain: false })
      isOpen = true
      await using next = createEngine({ ...config, ledger: sqlite(file) })
      const missing: string[][] = []
      await next.resume({
        complete: ({ request, missing: paths }) => {
          missing.push(paths.map(String))
          return { ...request, actions: login(secret) }
        },
      })
      expect(missing.flat().join(' ')).toContain(typeof secret === 'function' ? 'secret' : '')
      expect(missing).toHaveLength(typeof secret === 'function' ? 1 : 0)
      const status = await (await next.job(id))?.finished()
      expect(status?.data.at(0)?.metadata.title).toBe('Inside')
    }
    await rm(folder, { recursive: true })
  })
})
