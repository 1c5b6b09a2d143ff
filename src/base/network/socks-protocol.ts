/** Constants of SOCKS 5, for client and server. @see RFC 1928 */
export const SOCKS_VERSION = 5

/** Authentication methods. @see RFC 1928 section 3, RFC 1929 */
export const NO_CREDENTIALS = 0
export const PASSWORD = 2

/** The CONNECT command. */
export const CONNECT = 1

/** Address types. */
export const [IPV4, NAME, IPV6] = [1, 3, 4] as const
