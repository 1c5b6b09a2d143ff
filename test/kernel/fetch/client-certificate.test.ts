import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type EngineConfig } from '../../../src/index.js'
import { makeCertificates, PASSPHRASE } from '../../site/certificates.js'
import { htmlPage } from '../../site/exchange.js'

let folder: string
let files: ReturnType<typeof makeCertificates>
let server: ReturnType<typeof createServer>
let url: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trawl-test-'))
  files = makeCertificates(folder)
  const own = { key: files.read('server.key'), cert: files.read('server.pem'), ca: files.read('ca.pem') }
  server = createServer({ ...own, requestCert: true, rejectUnauthorized: false }, ({ socket }, response) => {
    const { authorized } = socket as TLSSocket
    response.setHeader('content-type', 'text/html')
    response.end(htmlPage(authorized ? 'Members' : 'Strangers'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://localhost:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

const config: EngineConfig = {
  threads: 0,
  allowPrivateNetworks: true,
  fetcher: 'http',
  cache: false,
  retry: { maxRetries: 0 },
}

async function titleWith(tls: EngineConfig['tls'], env?: EngineConfig['env']): Promise<string | undefined> {
  await using engine = createEngine({ ...config, tls, env })
  return (await engine.scrape(url)).metadata.title
}

describe('a client certificate', () => {
  it('is shown to its host, as texts, with a passphrase, or as PKCS#12', async () => {
    const [ca, cert, key] = ['ca.pem', 'client.pem', 'client.key'].map((name) => files.text(name))
    const pfx = files.read('client.pfx')
    expect(await titleWith(undefined)).toBe('Strangers')
    expect(await titleWith({ localhost: { ca } })).toBe('Strangers')
    const { port } = new URL(url)
    expect(await titleWith({ [`localhost:${port}`]: { ca, cert, key } })).toBe('Members')
    expect(await titleWith({ [`localhost:${port}`]: { ca, cert, key: () => key ?? '' } })).toBe('Members')
    const locked = { ca, cert, key: files.text('client.locked.key'), passphrase: { env: 'KEY' } }
    expect(await titleWith({ [`localhost:${port}`]: locked }, { KEY: PASSPHRASE })).toBe('Members')
    expect(await titleWith({ [`localhost:${port}`]: { ca, pfx, passphrase: async () => PASSPHRASE } })).toBe('Members')
  })

  it('is shown to no other host', async () => {
    const [ca, cert, key] = ['ca.pem', 'client.pem', 'client.key'].map((name) => files.text(name))
    expect(await titleWith({ 'example.com': { ca, cert, key }, 'localhost:1': { ca, cert, key } })).toBe('Strangers')
  })

  it('is for a host that is verified', async () => {
    const [cert, key] = ['client.pem', 'client.key'].map((name) => files.text(name))
    const { port } = new URL(url)
    await expect(titleWith({ [`localhost:${port}`]: { cert, key } })).rejects.toMatchObject({
      code: 'SCRAPE_SSL_ERROR',
    })
  })

  it('stands in no error', async () => {
    const { port } = new URL(url)
    const [ca, cert] = ['ca.pem', 'client.pem'].map((name) => files.text(name))
    const locked = { ca, cert, key: files.text('client.locked.key') }
    for (const passphrase of ['wrong-passphrase-1', undefined]) {
      const tls = { [`localhost:${port}`]: { ...locked, passphrase: { env: 'KEY' } } }
      const error = await titleWith(tls, { KEY: passphrase }).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 10 })).not.toMatch(/wrong-passphrase-1|PRIVATE KEY/)
    }
    const given = { ...locked, passphrase: PASSPHRASE } as never
    expect(() => createEngine({ ...config, tls: { localhost: given } })).toThrow(
      'a secret itself must not be in a request',
    )
    expect(() => createEngine({ ...config, tls: { localhost: given } })).not.toThrow(PASSPHRASE)
    expect(() => createEngine({ ...config, tls: { localhost: { cert } } })).toThrow('`cert` needs `key`')
  })
})
