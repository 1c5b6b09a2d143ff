/** A secret of the host: a function that returns it, or the name of a variable in `env` of the engine. */
export type AskedSecret = (() => string | Promise<string>) | { readonly env: string }

/** Variables of the host. */
export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Asks the host for a secret. No error has its value.
 *
 * @param what names it, for errors
 * @throws TypeError if there is none
 */
export async function askSecret(what: string, secret: AskedSecret, env: Variables | undefined): Promise<string> {
  const value = typeof secret === 'function' ? await callFor(what, secret) : env?.[secret.env]
  if (typeof value === 'string' && value !== '') return value
  const why =
    typeof secret === 'function'
      ? 'its function returned none'
      : `\`env\` of the engine has no \`${secret.env}\`; on the command line, the variable is not set`
  throw new TypeError(`${what} is missing: ${why}`)
}

/** Calls a function of the host, whose error may quote a secret. */
async function callFor(what: string, call: () => string | Promise<string>): Promise<string> {
  try {
    return await call()
  } catch {
    throw new TypeError(`the function of ${what} failed`)
  }
}
