import type { z } from 'zod'
import type { OptionSchemas, SchemaBuilder } from '../../convert/format.js'
import { parseProxy } from '../../fetch/proxy/proxy.js'
import { isCountry } from './location.js'

/** Proxies by kind, as URLs. */
export interface ProxyLists {
  /** For `proxy: 'basic'`, and the first attempt of `auto`. @default none: direct connections */
  basic?: readonly string[] | undefined
  /** For `proxy: 'enhanced'`, and the second attempt of `auto`. @default those of `basic` */
  enhanced?: readonly string[] | undefined
}

/**
 * The proxies of an engine: `http://user:password@host:port`, `https://…` or `socks5://…`. They take turns; one that
 * fails rests, one that a site blocks is kept from that site. `{session}` in a user name or password stands for a session:
 * a gateway that gives each an exit of its own is used with several, and one that is blocked is left for another.
 */
export interface ProxiesConfig extends ProxyLists {
  /** Proxies in a country, by its two-letter code, which are preferred for pages whose `location` names it. */
  byCountry?: Readonly<Record<string, readonly string[] | ProxyLists>> | undefined
  /** Accept any TLS certificate of a proxy. @default false */
  skipTlsVerification?: boolean | undefined
}

/** Creates the schema of proxies. No message contains the URL of a proxy, which may have a password. @internal */
export function proxiesSchema(z: SchemaBuilder) {
  const what = 'not the URL of a proxy: http://user:password@host:port, https://… or socks5://…'
  const proxy = z.string().refine((spelling) => parseProxy(spelling) !== undefined, { error: what })
  const list = z.array(proxy)
  const lists = { basic: list.optional(), enhanced: list.optional() } satisfies OptionSchemas<ProxyLists>
  return z.strictObject({
    ...lists,
    byCountry: z
      .record(z.string(), z.union([list, z.strictObject(lists)]))
      .superRefine(refuseNoCountries)
      .optional(),
    skipTlsVerification: z.boolean().optional(),
  } satisfies OptionSchemas<ProxiesConfig>)
}

function refuseNoCountries(byCountry: object, context: z.core.$RefinementCtx): void {
  const message = 'not a country: a code of two letters such as `DE`'
  for (const code of Object.keys(byCountry)) {
    if (!isCountry(code)) context.addIssue({ code: 'custom', path: [code], message })
  }
}
