import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  createRequestSigner,
  readPrivateKey,
  signText,
  thumbprintOf,
  writeKeyDirectory,
  writeSignedText,
} from '../../../src/base/http/request-signer.js'

/** The key `test-key-ed25519`. @see RFC 9421 appendix B.1.4 */
const PEM = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----`
const key = createPrivateKey(PEM)
const THUMBPRINT = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'

describe('Ed25519 signatures', () => {
  it('are those of RFC 9421, appendix B.2.6', () => {
    const components = [
      ['"date"', 'Tue, 20 Apr 2021 02:07:55 GMT'],
      ['"@method"', 'POST'],
      ['"@path"', '/foo'],
      ['"@authority"', 'example.com'],
      ['"content-type"', 'application/json'],
      ['"content-length"', '18'],
    ] as const
    const params =
      '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"'
    expect(signText(writeSignedText(components, params), key)).toBe(
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
    )
  })

  it('are those of the Web Bot Auth draft, with a dictionary as Signature-Agent', () => {
    const params = `("@authority" "signature-agent";key="agent2");created=1735689600;keyid="${THUMBPRINT}";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"`
    const base = writeSignedText(
      [
        ['"@authority"', 'example.com'],
        ['"signature-agent";key="agent2"', '"https://signature-agent.test"'],
      ],
      params,
    )
    expect(signText(base, key)).toBe(
      'RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==',
    )
  })

  it('are those of the draft, with a string as Signature-Agent', () => {
    const params = `("@authority" "signature-agent");created=1735689600;keyid="${THUMBPRINT}";alg="ed25519";expires=1735693200;nonce="e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==";tag="web-bot-auth"`
    const base = writeSignedText(
      [
        ['"@authority"', 'example.com'],
        ['"signature-agent"', '"https://signature-agent.test"'],
      ],
      params,
    )
    expect(signText(base, key)).toBe(
      'jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==',
    )
  })

  it('are those of the draft, for a signed directory', () => {
    const params = `("@authority";req "content-digest");created=1735689600;expires=4889289600;keyid="${THUMBPRINT}";tag="http-message-signatures-directory"`
    const base = writeSignedText(
      [
        ['"@authority";req', 'signature-agent.test'],
        ['"content-digest"', 'sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:'],
      ],
      params,
    )
    expect(signText(base, key)).toBe(
      'l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==',
    )
  })
})

describe('a key', () => {
  it('has the thumbprint and the entry of the directory that the draft gives', () => {
    expect(thumbprintOf(key)).toBe(THUMBPRINT)
    expect(JSON.parse(writeKeyDirectory([key]))).toEqual({
      keys: [
        { kty: 'OKP', crv: 'Ed25519', kid: THUMBPRINT, x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs', use: 'sig' },
      ],
    })
  })

  it('is read from PEM and from a JSON Web Key, and nothing else is one', () => {
    const jwk = JSON.stringify(key.export({ format: 'jwk' }))
    expect([PEM, jwk].map((text) => readPrivateKey(text)?.asymmetricKeyType)).toEqual(['ed25519', 'ed25519'])
    const publicPem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
    expect(['', '{}', 'a key', publicPem].map(readPrivateKey)).toEqual([undefined, undefined, undefined, undefined])
  })
})

describe('a signed request', () => {
  it('covers method, host, URL and directory, for a minute, with a nonce of its own', () => {
    const signer = createRequestSigner({ key, origin: 'https://bot.example', now: () => 1_700_000_000_999 })
    const url = new URL('https://user:secret@Example.com:443/a?b=c#d')
    const [first, second] = [signer.sign('GET', url), signer.sign('GET', url)]
    const [, params = ''] = /^sig1=(.*)$/.exec(first['signature-input']) ?? []
    expect(params.replace(/nonce="[^"]{88}"/, 'nonce=…')).toBe(
      `("@method" "@authority" "@target-uri" "signature-agent";key="sig1");created=1700000000;expires=1700000060;keyid="${THUMBPRINT}";alg="ed25519";nonce=…;tag="web-bot-auth"`,
    )
    expect(first['signature-agent']).toBe('sig1="https://bot.example"')
    expect(first['signature-input']).not.toBe(second['signature-input'])
    const base = `"@method": GET\n"@authority": example.com\n"@target-uri": https://example.com/a?b=c\n"signature-agent";key="sig1": "https://bot.example"\n"@signature-params": ${params}`
    const [, signature = ''] = /^sig1=:(.*):$/.exec(first.signature) ?? []
    expect(verify(null, Buffer.from(base), createPublicKey(key), Buffer.from(signature, 'base64'))).toBe(true)
  })
})
