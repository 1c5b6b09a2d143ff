import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createReportPoster, type ReportPosterOptions } from '../../../src/base/http/post-report.js'
import { answers, startReceiver, type Answer, type Receiver } from '../../site/receiver.js'
import { startSite } from '../../site/site.js'

const until = <T>(read: () => T) => expect.poll(read, { interval: 5, timeout: 20_000 })

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

async function receive(answer?: Answer, port?: number): Promise<Receiver> {
  const receiver = await startReceiver(answer, port)
  closings.push(() => receiver.close())
  return receiver
}

/** A report poster that may connect to private addresses. */
function poster(options: Partial<ReportPosterOptions> = {}) {
  const made = createReportPoster({ allowPrivateNetworks: true, ...options })
  closings.push(() => made.close())
  const { signal } = new AbortController()
  return {
    ...made,
    send: (url: string, headers = {}, body = '{"a":"ü"}') => made.post({ url, headers, body }, signal),
  }
}

describe('a report', () => {
  it("is posted as JSON with the caller's headers, and accepted with a 2xx status", async () => {
    const receiver = await receive(answers.status(204))
    const headers = { 'X-Team': 'docs', Host: 'other.test', 'Content-Type': 'text/plain', 'Content-Length': '3' }
    expect(await poster().send(receiver.url, headers)).toBeUndefined()
    expect(receiver.received).toMatchObject([
      { raw: '{"a":"ü"}', path: '/hook', headers: { 'x-team': 'docs', 'content-type': 'application/json' } },
    ])
    expect(receiver.received[0]?.headers).toMatchObject({
      host: new URL(receiver.url).host,
      'content-length': '10',
      'user-agent': expect.stringMatching(/^trawl\//),
    })
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-firecrawl-signature')
  })

  it('has a signature over its bytes', async () => {
    const receiver = await receive()
    await poster({ secret: 'key', userAgent: 'mine' }).send(receiver.url)
    const hex = createHmac('sha256', 'key').update('{"a":"ü"}').digest('hex')
    const [{ headers } = { headers: {} }] = receiver.received
    expect(headers).toMatchObject({ 'x-firecrawl-signature': `sha256=${hex}`, 'user-agent': 'mine' })
  })

  it("carries the URL's credentials, unless the caller sets the header", async () => {
    const receiver = await receive()
    const url = receiver.url.replace('//', '//me:p%20w@')
    const { send } = poster()
    await send(url)
    await send(url, { Authorization: 'Bearer x' })
    expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${Buffer.from('me:p w').toString('base64')}`,
      'Bearer x',
    ])
  })

  it.each([
    ['fails', answers.status(500), 'answered with 500'],
    ['refuses', answers.status(410), 'answered with 410'],
    ['resets the connection', answers.reset, 'The connection was reset'],
    ['does not answer', answers.silence, 'no response within 0.05 s'],
  ])('is rejected by a receiver that %s, with a reason that does not contain the URL', async (_, answer, reason) => {
    const receiver = await receive(answer)
    const fault = await poster(answer === answers.silence ? { responseTimeoutMs: 50 } : {}).send(
      `${receiver.url}/token`,
    )
    expect(fault).toContain(reason)
    expect(fault).not.toContain('token')
    if (answer !== answers.silence) expect(receiver.received.length).toBe(1)
  })

  it('follows no redirect', async () => {
    const [receiver, other] = [await receive(), await receive()]
    receiver.answer = answers.redirectTo(other.url)
    expect(await poster().send(receiver.url)).toBe('answered with 307: redirects are not followed')
    expect(other.connections).toBe(0)
  })

  it('is accepted by a receiver whose response body never ends or breaks off', async () => {
    const receiver = await receive(answers.flood)
    const { send } = poster({ responseTimeoutMs: 2000 })
    expect(await send(receiver.url)).toBeUndefined()
    await until(() => receiver.openSockets).toBe(0)
    receiver.answer = answers.trailOff
    expect(await send(receiver.url)).toBeUndefined()
    await until(() => receiver.openSockets).toBe(0)
  })

  it('reuses a connection, and opens a new one when it was closed meanwhile', async () => {
    const receiver = await receive()
    const { send } = poster()
    await send(receiver.url)
    await send(receiver.url)
    expect(receiver.connections).toBe(1)
    // The persistent connection ends as it is reused.
    receiver.answer = (response, received) => {
      receiver.answer = answers.ok
      answers.reset(response, received)
    }
    expect(await send(receiver.url)).toBeUndefined()
    expect(receiver.connections).toBe(2)
  })

  it('is sent to public addresses only, whatever name is used', async () => {
    const receiver = await receive()
    const { port } = new URL(receiver.url)
    const lookup = async () => ['127.0.0.1']
    const { send } = poster({ allowPrivateNetworks: false, lookup })
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'rebound.test', 'localhost', '2130706433']) {
      expect(await send(`http://${host}:${port}/hook`)).toMatch(/not a public address \(loopback\)/)
    }
    expect(receiver.connections).toBe(0)
  })

  it('is not sent to a receiver with an untrusted certificate', async () => {
    const site = await startSite({ protocol: 'https' })
    closings.push(() => site.close())
    const fault = await poster().send(site.url('/hook'))
    expect(fault).toMatch(/^The certificate of `.*` was refused \(\w+\)$/)
    expect(site.requests).toEqual([])
  })

  it('is aborted with its signal', async () => {
    const receiver = await receive(answers.silence)
    const { post, close } = poster()
    const stop = new AbortController()
    const sent = post({ url: receiver.url, headers: {}, body: '{}' }, stop.signal)
    await until(() => receiver.received.length).toBe(1)
    stop.abort(new Error('enough'))
    await expect(sent).rejects.toThrow('enough')
    const other = post({ url: receiver.url, headers: {}, body: '{}' }, new AbortController().signal)
    await until(() => receiver.received.length).toBe(2)
    await close()
    expect(await other).toBe('the engine was closed')
    await until(() => receiver.openSockets).toBe(0)
  })
})
