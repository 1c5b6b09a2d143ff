import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { type AskedSecret, askSecret, type Variables } from '../runtime/ask-secret.js'
import { messageOf, TrawlError } from '../errors.js'
import { buildConnector } from './http-client.js'

type Connector = ReturnType<typeof buildConnector>

/** A text or bytes, or a secret that is asked for when a connection is opened. */
type CertificateSource = string | Uint8Array | AskedSecret

/** TLS of connections to a host: a certificate that the client shows, and the authorities that it trusts. */
export interface HostTls {
  /** Certificate in PEM, with those of its issuers behind it. */
  cert?: string | Uint8Array
  /** Private key in PEM. */
  key?: CertificateSource
  /** Certificate and key in PKCS#12, in the place of `cert` and `key`. */
  pfx?: Uint8Array
  /** Passphrase of `key` or `pfx`. */
  passphrase?: AskedSecret
  /** Authorities to trust in the place of those of Node. PEM. */
  ca?: string | Uint8Array
}

/** Finds the TLS of a host; undefined for most. */
export type FindHostTls = (host: { readonly hostname: string; readonly port: string }) => HostTls | undefined

/** TLS of hosts, and the variables that their secrets name. */
export interface HostTlsSource {
  readonly find: FindHostTls
  readonly env: Variables | undefined
}

interface ConnectorOptions {
  readonly verifyCertificates: boolean
  readonly hostTls?: HostTlsSource
}

/**
 * Creates a connector with the TLS of hosts. A host that has some is always verified: it gets a proof of who asks. Secrets are asked for once
 * in the life of the connector, and again after a failure.
 * @internal
 */
export function createConnector({ verifyCertificates, hostTls }: ConnectorOptions): Connector {
  const plain = buildConnector({ rejectUnauthorized: verifyCertificates, timeout: 0 })
  if (!hostTls) return plain
  const { find, env } = hostTls
  const known = new Map<HostTls, Promise<Connector>>()
  const open = (tls: HostTls): Promise<Connector> => {
    const found = known.get(tls) ?? openTls(tls, env)
    known.set(tls, found)
    found.catch(() => known.delete(tls))
    return found
  }
  return (target, callback) => {
    const port = target.port === '' ? '443' : target.port
    const tls = find({ hostname: target.hostname, port })
    if (!tls) return plain(target, callback)
    void connectWith(open(tls), target, callback)
  }
}

async function connectWith(opening: Promise<Connector>, ...[target, callback]: Parameters<Connector>): Promise<void> {
  let connect: Connector
  try {
    connect = await opening
  } catch (error) {
    callback(error as Error, null)
    return
  }
  connect(target, callback)
}

/** @throws TrawlError `SCRAPE_SSL_ERROR` for a secret that is missing, and for a key that cannot be read */
async function openTls(tls: HostTls, env: Variables | undefined): Promise<Connector> {
  try {
    // Made here: the connector would throw for a wrong passphrase.
    const secureContext = createSecureContext(await readTls(tls, env))
    return buildConnector({ secureContext, rejectUnauthorized: true, timeout: 0 })
  } catch (error) {
    throw new TrawlError('SCRAPE_SSL_ERROR', `\`tls\` of the host cannot be used: ${messageOf(error)}`)
  }
}

async function readTls({ cert, key, pfx, passphrase, ca }: HostTls, env: Variables | undefined) {
  const toSource = (value: string | Uint8Array) => (typeof value === 'string' ? value : Buffer.from(value))
  const ask = async (name: string, value: CertificateSource | undefined) =>
    value === undefined || typeof value === 'string' || value instanceof Uint8Array
      ? value && toSource(value)
      : await askSecret(`\`${name}\` of \`tls\``, value, env)
  const options: SecureContextOptions = {
    cert: cert && toSource(cert),
    key: await ask('key', key),
    pfx: pfx && toSource(pfx),
    passphrase: passphrase && (await askSecret('`passphrase` of `tls`', passphrase, env)),
    ca: ca && toSource(ca),
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
