import type { FindHostTls, HostTls } from '../../../base/http/client-certificates.js'
import type { SchemaBuilder } from '../../../content/convert/format.js'
import { isHeaderHost, isOnNamedHost } from '../../../base/http/header-scope.js'
import { secretSchema } from './secret.js'

/** TLS by host. */
export type TlsByHost = Readonly<Record<string, Readonly<HostTls>>>

/** Creates the schema of {@link TlsByHost}. No message shows a value. @internal */
export const tlsSchema = (z: SchemaBuilder) => {
  const source = z.union([z.string().min(1), z.instanceof(Uint8Array)], {
    error: 'neither a text nor bytes (not shown)',
  })
  const secret = secretSchema(z)
  const host = z.string().refine(isHeaderHost, 'not a host: `example.com`, `example.com:8443`, `*.example.com`')
  const tls = z
    .strictObject({
      cert: source.optional(),
      key: z.union([source, secret], { error: 'neither a text, nor bytes, nor a secret (not shown)' }).optional(),
      pfx: z.instanceof(Uint8Array, { error: 'no bytes (not shown)' }).optional(),
      passphrase: secret.optional(),
      ca: source.optional(),
    })
    .refine(({ cert, key }) => (cert === undefined) === (key === undefined), {
      error: '`cert` needs `key`, and `key` needs `cert`',
    })
    .refine(({ cert, pfx, ca }) => [cert, pfx, ca].some((one) => one !== undefined), {
      error: 'has neither `cert`, nor `pfx`, nor `ca`',
    })
  return z.record(host, tls)
}

/** Returns a function that finds the TLS of a host: that of the first item with its name. @internal */
export function findTlsBy(tls: TlsByHost): FindHostTls {
  const hosts = Object.entries(tls)
  return ({ hostname, port }) => {
    const name = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname
    const url = new URL(`https://${name}:${port}`)
    return hosts.find(([host]) => isOnNamedHost(url, [host]))?.[1]
  }
}
