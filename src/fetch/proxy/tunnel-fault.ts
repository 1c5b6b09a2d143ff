/** What stands against a tunnel through a proxy. */
export interface TunnelFault {
  /** Whose fault it is: another proxy helps against the proxy's own, and not against the site's. */
  readonly of: 'proxy' | 'site' | 'either'
  /** To follow "the proxy …". */
  readonly what: string
}

export const tunnelFault = (of: TunnelFault['of'], what: string): TunnelFault => ({ of, what })
