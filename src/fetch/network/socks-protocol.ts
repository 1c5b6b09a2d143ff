/** What the bytes of SOCKS 5 mean, for both of its ends. @see RFC 1928 */
export const SOCKS_VERSION = 5

/** Ways of logging in. @see RFC 1928 section 3, RFC 1929 */
export const NO_CREDENTIALS = 0
export const PASSWORD = 2

/** What is asked for. */
export const CONNECT = 1

/** Kinds of addresses. */
export const [IPV4, NAME, IPV6] = [1, 3, 4] as const
