import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { chromium } from 'playwright'
import { expect, it } from 'vitest'
import { findBrowser } from '../../../../src/features/browser/process/find-browser.js'
import { startSite } from '../../../site/site.js'
import { openBrowser } from '../open-browser.js'
import { textOf } from '../../../kernel/fetch/open-fetcher.js'

it('a connected browser keeps running, and its pages send nothing past their proxy', async () => {
  // Requests to a STUN server are the first that a peer connection sends.
  const packets: Buffer[] = []
  const stun = createSocket('udp4').on('message', (packet) => packets.push(packet))
  await once(stun.bind(0, '127.0.0.1'), 'listening')
  const connects = `async () => {
    const frame = document.body.appendChild(document.createElement('iframe')).contentWindow
    const names = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']
    const left = [window, frame].flatMap((one) => names.filter((name) => name in one))
    for (const one of [window, frame]) {
      if (!one.RTCPeerConnection) continue
      const peer = new one.RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${stun.address().port}' }] })
      peer.createDataChannel('c')
      await peer.setLocalDescription(await peer.createOffer())
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
    out.textContent = 'LEFT ' + left.length
  }`
  await using site = await startSite({
    pages: {
      '/calls': `<p id="out"></p><script>(${connects})().catch((error) => (out.textContent = error))</script>`,
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'browser-connected-'))
  const { executablePath } = await findBrowser({ playwrightPaths: [chromium.executablePath()] })
  const args = ['--headless', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${folder}`]
  const own = spawn(executablePath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  own.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  try {
    await expect.poll(() => said, { timeout: 20_000 }).toContain('DevTools listening on')
    const cdpEndpoint = /ws:\/\/\S+/.exec(said)?.[0] ?? ''
    {
      await using browser = openBrowser({ browser: { cdpEndpoint } })
      expect(textOf(await browser.get(site.url('/page/a')))).toContain('Page a')
      expect(textOf(await browser.get(site.url('/calls')))).toContain('LEFT 0')
      expect(packets).toEqual([])
    }
    expect(own.exitCode).toBeNull()
  } finally {
    const exit = once(own, 'exit')
    own.kill('SIGKILL')
    await exit
    stun.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})

it.each(['ws', 'http'])(
  'the error of a browser at a %s address that does not answer has no token of the address',
  async (scheme) => {
    await using site = await startSite()
    const origin = `${scheme}://127.0.0.1:${site.port}`
    await using browser = openBrowser({ browser: { cdpEndpoint: `${origin}/status/404?token=SECRET` } })
    const error: unknown = await browser.get(site.url('/page/a')).catch((thrown: unknown) => thrown)
    expect(inspect(error, { depth: 9 })).toContain(
      `The browser at \`browser.cdpEndpoint\` (${origin}) cannot be reached: `,
    )
    expect(inspect(error, { depth: 9 })).not.toMatch(/SECRET|Call log|connectOverCDP/)
  },
)
