import type { z } from 'zod'
import type { OptionSchemas, SchemaBuilder } from '../../../content/convert/format.js'
import { parseProxy } from '../../../base/network/proxy.js'
import type { OptionDefinitions } from '../option-definition.js'
import { optionalBoolean } from './basic-schemas.js'
import { isCountry } from './location.js'

/** Proxies by kind, as URLs. */
export interface ProxyLists {
  /** Proxies for `proxy: 'basic'`, and the first attempt of `auto`. @default none: direct connections */
  basic?: readonly string[]
  /** Proxies for `proxy: 'enhanced'`, and the second attempt of `auto`. @default those of `basic` */
  enhanced?: readonly string[]
}

/**
 * Proxies of an engine: `http://user:password@host:port`, `https://…` or `socks5://…`. They are used in turn. One that
 * fails is not used for a while; one that a site blocks is not used for that site. `{session}` in a user name or password
 * is replaced by the name of a session, for gateways that give each session its own address: several sessions are used,
 * and a blocked one is replaced.
 */
export interface ProxiesConfig extends ProxyLists {
  /** Proxies by the two-letter code of their country. They are preferred for pages whose `location` names it. */
  byCountry?: Readonly<Record<string, readonly string[] | ProxyLists>>
  /** Accept any TLS certificate of a proxy. @default false */
  skipTlsVerification?: boolean
}

// No message contains the URL of a proxy, which may have a password.
const NO_PROXY = 'not the URL of a proxy: http://user:password@host:port, https://… or socks5://…'
const proxyList = (z: SchemaBuilder) =>
  z.array(z.string().refine((spelling) => parseProxy(spelling) !== undefined, { error: NO_PROXY }))
const proxyLists = (z: SchemaBuilder) =>
  z.strictObject({
    basic: proxyList(z).optional(),
    enhanced: proxyList(z).optional(),
  } satisfies OptionSchemas<ProxyLists>)

/** Definitions of {@link ProxiesConfig}. @internal */
export const proxyDefinitions = {
  basic: {
    schema: (z) => proxyList(z).optional(),
    flag: 'proxies',
    help: 'Proxy for --proxy basic and the first attempt of auto: http://, https:// or socks5://',
  },
  enhanced: {
    schema: (z) => proxyList(z).optional(),
    flag: 'enhanced-proxies',
    help: 'Proxy for --proxy enhanced and the second attempt of auto',
  },
  byCountry: {
    schema: (z) =>
      z
        .record(z.string(), z.union([proxyList(z), proxyLists(z)]))
        .superRefine(refuseUnknownCountries)
        .optional(),
    flag: 'proxies-by-country',
    help: 'Proxies by country: {"DE":["http://user:password@host:port"]}',
  },
  skipTlsVerification: {
    schema: optionalBoolean,
    flag: 'insecure-proxies',
    help: 'Accept any certificate of an https proxy. Default: off',
  },
} as const satisfies OptionDefinitions<ProxiesConfig>

function refuseUnknownCountries(byCountry: object, context: z.core.$RefinementCtx): void {
  const message = 'not a country: a code of two letters such as `DE`'
  for (const code of Object.keys(byCountry)) {
    if (!isCountry(code)) context.addIssue({ code: 'custom', path: [code], message })
  }
}
