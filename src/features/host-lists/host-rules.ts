import { dropDot, normalizeHost } from './host-pattern.js'

/** Lists of hosts, as they were given. Plain data */
export interface HostLists {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly domains: readonly string[]
}

/** Tests hosts against a list: whole names at once, and those with `*` one after the other. */
class HostSet {
  readonly #names = new Set<string>()
  readonly #patterns: (readonly string[])[] = []

  constructor(patterns: readonly string[]) {
    for (const pattern of patterns) {
      const host = normalizeHost(pattern)
      if (host?.includes('*')) this.#patterns.push(host.split('*'))
      else if (host !== undefined) this.#names.add(host)
    }
  }

  /** Finds the entry that a host matches. */
  find(host: string): string | undefined {
    if (this.#names.has(host)) return host
    return this.#patterns.find((parts) => matches(host, parts))?.join('*')
  }
}

/** Tests whether a text consists of parts with anything between them, in linear time. */
function matches(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  const end = text.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/** Judges hosts by lists: `allow` wins over the others. */
export class HostRules {
  readonly #allow: HostSet
  readonly #deny: HostSet
  readonly #domains: ReadonlySet<string>

  constructor({ allow, deny, domains }: HostLists) {
    this.#allow = new HostSet(allow)
    this.#deny = new HostSet(deny)
    this.#domains = new Set(domains.map((domain) => normalizeHost(domain.replace(/^\./, '')) ?? domain))
  }

  /** Finds out what denies the host of a URL. @returns the entry of a list, in backticks; undefined for a host that is not denied */
  refuse(url: string): string | undefined {
    const host = dropDot(new URL(url).hostname)
    if (this.#allow.find(host) !== undefined) return undefined
    const denied = this.#deny.find(host)
    if (denied !== undefined) return `the host ${host} is denied by \`${denied}\``
    const domain = this.#findDomain(host)
    return domain === undefined ? undefined : `the host ${host} is denied by the domain \`${domain}\``
  }

  #findDomain(host: string): string | undefined {
    if (this.#domains.size === 0) return undefined
    for (let at = 0; at !== -1; at = nextLabel(host, at)) {
      const domain = host.slice(at)
      if (this.#domains.has(domain)) return domain
    }
    return undefined
  }
}

/** Finds the start of the label after a place; -1 after the last one. */
const nextLabel = (host: string, at: number): number => {
  const dot = host.indexOf('.', at)
  return dot === -1 ? -1 : dot + 1
}
